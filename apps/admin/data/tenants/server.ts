import type { Tenant } from '@gantry/contracts';
import { cache } from 'react';
import { apiPath } from '@/lib/api/path';
import { type Result, serverGet } from '@/lib/api/server';

/** The tenant with the reader's permissions in it, asked once a request. */
export const getTenant = cache((slug: string): Promise<Result<Tenant>> => serverGet<Tenant>(apiPath('tenants', slug)));
