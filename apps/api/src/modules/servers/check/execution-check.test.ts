import { describe, expect, it } from 'vitest';
import { judgeDocument, judgeItem } from '../document-check.js';
import { itemKinds } from '../item-kinds.js';

const described = { name: 'probe', description: 'Does something.', inputSchema: { type: 'object' } };
const code = { source: 'export default () => 1' };
const http = (stream?: string) => ({ url: 'https://example.com/', ...(stream && { stream }) });
const faultsOf = (tool: object) => judgeItem(itemKinds.tools, { ...described, ...tool }).faults;

describe('where a tool runs', () => {
  it.each([
    [{ code, execution: 'job' }],
    [{ code, execution: 'job', task: 'forbidden' }],
    [{ code, task: 'required' }],
    [{ code, execution: 'inline', task: 'optional' }],
    [{ template: { text: 'x' }, execution: 'job', task: 'required' }],
    [{ http: http('sse') }],
    [{ http: http('ndjson'), execution: 'job' }],
    [{ http: http('none'), execution: 'inline' }],
    [{ code, stateful: true, execution: 'inline', task: 'forbidden' }],
    [{ code, stateful: false, execution: 'job' }],
    [{ http: http('none'), stateful: true }],
  ])('may be %j', (tool) => {
    expect(faultsOf(tool)).toEqual([]);
  });

  it.each([
    [{ code, stateful: true, execution: 'job' }, '/stateful', 'a stateful tool cannot run as a job'],
    [{ http: http('sse'), stateful: true }, '/stateful', 'a stateful tool cannot run as a job'],
    [{ code, stateful: true, task: 'optional' }, '/task', 'a stateful tool cannot run as a task: expected "forbidden"'],
    [{ code, stateful: true, task: 'required' }, '/task', 'a stateful tool cannot run as a task: expected "forbidden"'],
    [
      { http: http('ndjson'), execution: 'inline' },
      '/execution',
      'a tool whose answer is a stream runs as a job: expected "job"',
    ],
  ])('may not be %j', (tool, path, message) => {
    expect(faultsOf(tool)).toEqual([{ path, message }]);
  });

  it.each([
    [{ code, execution: 'later' }, '/execution'],
    [{ code, task: 'maybe' }, '/task'],
    [{ http: http('xml') }, '/http/stream'],
  ])('is named by known words, unlike %j', (tool, path) => {
    expect(faultsOf(tool).map((fault) => fault.path)).toEqual([path]);
  });
});

it('only the answer of a tool can be a stream', () => {
  const about = { name: 'n', description: 'Is something.' };
  const { faults } = judgeDocument({
    name: 'x',
    resources: [
      { ...about, uri: 'a:1', http: http('sse') },
      { ...about, uri: 'a:2', http: http('none') },
    ],
    resourceTemplates: [{ ...about, uriTemplate: 'b:{id}', http: http('ndjson') }],
  });
  const message = 'only the answer of a tool can be a stream: expected "none"';
  expect(faults).toEqual([
    { path: '/resources/0/http/stream', message },
    { path: '/resourceTemplates/0/http/stream', message },
  ]);
});
