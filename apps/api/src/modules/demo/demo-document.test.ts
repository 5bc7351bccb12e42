import { describe, expect, it } from 'vitest';
import { judgeDocument } from '../servers/document-check.js';
import { demoDocument } from './demo-document.js';

describe('the demo', () => {
  it('has one of everything a server can offer, without a fault or a warning', () => {
    const { value, faults, warnings } = judgeDocument(demoDocument('http://127.0.0.1:9'));
    expect([faults, warnings]).toEqual([[], []]);
    expect(value?.prompts).not.toHaveLength(0);
    expect(value?.resources).not.toHaveLength(0);
    expect(value?.resourceTemplates).not.toHaveLength(0);
    expect(value?.tools.some(({ code }) => code?.source.includes('ctx.elicit'))).toBe(true);
    const job = value?.tools.find(({ execution }) => execution === 'job');
    expect(job?.code?.source).toContain('ctx.progress');
  });
});
