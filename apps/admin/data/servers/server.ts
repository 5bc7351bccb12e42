import type { ServerDocument } from '@gantry/contracts';
import { cache } from 'react';
import { apiPath } from '@/lib/api/path';
import { type Result, serverGet } from '@/lib/api/server';

/** The server document, asked once a request. */
export const getDocument = cache(
  (tenant: string, server: string): Promise<Result<ServerDocument>> =>
    serverGet<ServerDocument>(apiPath('tenants', tenant, 'servers', server)),
);
