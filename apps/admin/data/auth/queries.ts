import type { Me } from '@gantry/contracts';
import { getQuery } from '@/lib/api/query';

export const meQuery = () => getQuery<Me>(['me'], '/api/v1/me');
