import { describe, expect, it } from 'vitest';
import { jobDetail, jobView } from './job-view.js';

const row = {
  id: 'j',
  server: 's',
  tool: 't',
  status: 'input_required',
  face: 'task',
  attempts: 1,
  repeatable: false,
  createdAt: new Date(0),
  principal: 'key:1',
  caller: { client: { name: 'c', revision: '2025-11-25' } },
  arguments: { order: 'of-a-tenant', password: 'x' },
  questions: { sure: { method: 'elicitation/create', params: { message: 'Delete of-a-tenant?' } } },
  end: { outcome: { content: [{ type: 'text', text: 'of-a-tenant' }] } },
  error: 'no customer of-a-tenant',
  statusMessage: 'looking for of-a-tenant',
  attemptList: [{ number: 1, node: 'n', startedAt: '', outcome: 'failed', error: 'of-a-tenant again' }],
} as never;

describe('a job in detail', () => {
  it('shows what it was given and gave, but for secrets, to whoever may read payloads', () => {
    expect(jobDetail(row, true)).toMatchObject({
      payloads: 'shown',
      arguments: { order: 'of-a-tenant', password: '••••' },
      result: { content: [{ text: 'of-a-tenant' }] },
      questions: { sure: { message: 'Delete of-a-tenant?' } },
    });
  });

  it('withholds all of that from whoever may not, and says so', () => {
    const detail = jobDetail(row, false);
    expect(detail).toMatchObject({ payloads: 'withheld', questions: { sure: { method: 'elicitation/create' } } });
    expect(JSON.stringify(detail)).not.toContain('of-a-tenant');
  });

  it('has neither error nor progress message in lists for whoever may not', () => {
    expect(jobView(row, true)).toMatchObject({ error: 'no customer of-a-tenant', statusMessage: expect.any(String) });
    expect(JSON.stringify(jobView(row, false))).not.toContain('of-a-tenant');
  });
});
