import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { originAllowed, preflightHeaders } from './origin.js';

describe('originAllowed', () => {
  const allowed = ['https://console.example', 'http://localhost:4000'];

  it.each(['https://console.example', 'http://localhost:4000'])('lets %s pass', (origin) => {
    expect(originAllowed(origin, allowed)).toBe(true);
  });

  it.each([
    'https://console.example.evil.test',
    'http://localhost.evil.test',
    'http://localhost:40001',
    'http://console.example',
    'https://CONSOLE.example',
    'null',
    '',
  ])('refuses "%s"', (origin) => {
    expect(originAllowed(origin, allowed)).toBe(false);
  });

  it('takes any origin only where somebody wrote *, and never null', () => {
    expect(originAllowed('https://anything.test', [], ['*'])).toBe(true);
    expect(originAllowed('null', ['*'])).toBe(false);
  });
});

describe('preflightHeaders', () => {
  const preflight = (asked: string | undefined) =>
    preflightHeaders(
      { headers: { 'access-control-request-headers': asked } } as unknown as IncomingMessage,
      'https://console.example',
    );

  it('grants the headers that are asked for, dynamic ones included', () => {
    const asked = 'authorization, mcp-protocol-version,mcp-param-region';
    expect(preflight(asked)['access-control-allow-headers']).toBe(asked);
  });

  it.each([undefined, 'a\r\nset-cookie: x', 'a b', 'x'.repeat(3_000)])('falls back to the protocol for %j', (asked) => {
    expect(preflight(asked)['access-control-allow-headers']).toContain('mcp-session-id');
  });

  it('says that the answer depends on who asks for what', () => {
    expect(preflight('a').vary).toBe('Origin, Access-Control-Request-Headers');
  });
});
