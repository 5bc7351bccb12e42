import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpointOrigin } from './env';

afterEach(() => vi.unstubAllEnvs());

describe('the origin of the MCP endpoints', () => {
  it.each([
    ['https://mcp.example.com/base/', 'http://10.0.0.1:4000', 'https://mcp.example.com'],
    ['', 'http://10.0.0.1:4000/', 'http://10.0.0.1:4000'],
    ['', '', 'http://127.0.0.1:4000'],
    ['not a url; script-src *', 'http://10.0.0.1:4000', undefined],
  ])('of PUBLIC_URL %j and API_URL %j is %j', (publicUrl, api, origin) => {
    vi.stubEnv('PUBLIC_URL', publicUrl);
    vi.stubEnv('API_URL', api);
    expect(endpointOrigin()).toBe(origin);
  });
});
