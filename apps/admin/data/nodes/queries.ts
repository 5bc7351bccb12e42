import type { GantryNode } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { walkQuery } from '@/lib/api/query';
import { nodeKeys } from './keys';

/** The nodes that serve, and those that went within ten minutes, the oldest first. */
export const nodesQuery = () => walkQuery<GantryNode>(nodeKeys.list(), apiPath('nodes'));
