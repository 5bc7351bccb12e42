import { describe, expect, it } from 'vitest';
import { AppError } from '../common/errors/app-error.js';
import { promptTry, resourceTry, type TryKind, toolTry, tryOutcome } from './try-outcome.js';

const envelope = { resultType: 'complete', _meta: {}, ttlMs: 0, cacheScope: 'private' };

describe('tryOutcome', () => {
  it('gives the result of a tool without the envelope of a revision', () => {
    const result = { ...envelope, content: [], structuredContent: { a: 1 } };
    expect(tryOutcome(toolTry, 200, { result })).toEqual({
      event: 'result',
      answer: { content: [], structuredContent: { a: 1 }, isError: false },
    });
  });

  it('gives the messages of a prompt', () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
    const described = { ...envelope, description: 'Greets', messages };
    expect(tryOutcome(promptTry, 200, { result: described })).toEqual({
      event: 'result',
      answer: { description: 'Greets', messages },
    });
    expect(tryOutcome(promptTry, 200, { result: { ...envelope, messages } })).toEqual({
      event: 'result',
      answer: { messages },
    });
  });

  it('gives the contents of a resource', () => {
    const contents = [{ uri: 'docs://a', mimeType: 'text/plain', text: 'Hi' }];
    expect(tryOutcome(resourceTry, 200, { result: { ...envelope, contents } })).toEqual({
      event: 'result',
      answer: { contents },
    });
  });

  it.each<TryKind<unknown>>([toolTry, promptTry, resourceTry])('gives what the run of a $noun asks', (kind) => {
    const inputRequests = { who: { method: 'elicitation/create', params: { message: 'Who?' } } };
    const asked = { resultType: 'input_required', inputRequests, requestState: 'sealed', _meta: {} };
    expect(tryOutcome(kind, 200, { result: asked })).toEqual({
      event: 'input_required',
      answer: { inputRequests, requestState: 'sealed' },
    });
  });

  it('knows a run that asks nothing but to be asked again', () => {
    expect(tryOutcome(toolTry, 200, { result: { resultType: 'input_required', requestState: 's' } })).toEqual({
      event: 'input_required',
      answer: { inputRequests: {}, requestState: 's' },
    });
  });

  it.each([
    [429, -31429, 'rate_limited'],
    [503, -32603, 'unavailable'],
    [200, -32602, 'validation_failed'],
    [200, -32603, 'internal'],
    [200, 4711, 'bad_request'],
  ])('makes a problem of status %i with code %i: %s', (status, code, problem) => {
    const outcome = tryOutcome(toolTry, status, { error: { code, message: 'words' } });
    expect(outcome).toBeInstanceOf(AppError);
    expect((outcome as AppError).code).toBe(problem);
  });

  it('tells a resource that is not there from a fault of the request', () => {
    const missing = { code: -32602, message: 'Resource not found', data: { uri: 'docs://b' } };
    expect(tryOutcome(resourceTry, 200, { error: missing })).toMatchObject({ code: 'not_found' });
    expect(tryOutcome(resourceTry, 200, { error: { code: -32602, message: 'words' } })).toMatchObject({
      code: 'validation_failed',
      detail: 'words',
    });
  });

  it('tells why a resource could not be read', () => {
    const failed = { code: -32603, message: 'The backend answered 502.', data: { uri: 'docs://b' } };
    expect(tryOutcome(resourceTry, 200, { error: failed })).toMatchObject({
      code: 'validation_failed',
      detail: 'The backend answered 502.',
    });
  });

  it('says who answered with an error of its own', () => {
    expect(tryOutcome(promptTry, 200, { error: { code: 7, message: 'No.' } })).toMatchObject({
      detail: 'The prompt answered with the protocol error 7: No.',
    });
  });

  it('says of an internal fault no more than that', () => {
    const fault = { error: { code: -32603, message: 'secret path' } };
    expect((tryOutcome(toolTry, 200, fault) as AppError).detail).toBeUndefined();
    expect(tryOutcome(toolTry, 200, undefined)).toMatchObject({ code: 'internal' });
  });
});
