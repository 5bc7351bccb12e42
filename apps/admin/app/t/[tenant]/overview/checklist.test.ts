import type { ApiKey, Call, ServerSummary } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { onboardingSteps } from './checklist';

const server = (slug: string, tools: number) => ({ slug, tools }) as ServerSummary;
const call = (source: Call['source']) => ({ source }) as Call;
const key = (revokedAt?: string) => ({ revokedAt }) as ApiKey;
const done = (...args: Parameters<typeof onboardingSteps>) =>
  onboardingSteps(...args)
    .filter((step) => step.done)
    .map((step) => step.name);

describe('the onboarding checklist', () => {
  it('has nothing done in an empty tenant and starts with a server', () => {
    expect(done('acme', [], [], [])).toEqual([]);
    expect(onboardingSteps('acme', [], [], []).every((step) => step.href.startsWith('/t/acme/'))).toBe(true);
  });

  it('judges each step by what exists', () => {
    expect(done('acme', [server('a', 0)], [], [])).toEqual(['server']);
    expect(done('acme', [server('a', 0), server('b', 2)], [key('2026-01-01T00:00:00Z')], [call('console')])).toEqual([
      'server',
      'tool',
      'try',
    ]);
  });

  it('is over with the first call from outside, on a public server without any key too', () => {
    expect(done('acme', [server('a', 1)], [], [call('mcp')])).toEqual(['server', 'tool', 'try', 'key', 'connect']);
  });

  it('stays over when the newest calls are the console’s own', () => {
    const used = { lastUsedAt: '2026-01-01T00:00:00Z' } as ApiKey;
    expect(done('acme', [server('a', 1)], [used], [call('console')])).toContain('connect');
  });

  it('leads into the server that has tools', () => {
    const steps = onboardingSteps('acme', [server('a', 0), server('b', 2)], [], []);
    expect(steps.find((step) => step.name === 'connect')?.href).toBe('/t/acme/servers/b/connect');
  });
});
