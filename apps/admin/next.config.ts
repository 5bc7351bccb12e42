import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Nothing of the environment is baked in: `API_URL`, `ADMIN_URL`, `PORT` and `HOSTNAME` are read at run time. */
const config: NextConfig = {
  output: 'standalone',
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
};

export default config;
