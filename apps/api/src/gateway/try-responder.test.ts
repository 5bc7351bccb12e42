import { describe, expect, it, vi } from 'vitest';
import { TryResponder } from './try-responder.js';

function watch() {
  const events = { progress: vi.fn(), log: vi.fn(), answered: vi.fn() };
  return { events, responder: new TryResponder(events) };
}
const frame = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

describe('TryResponder', () => {
  it('tells progress and logs in order, then the answer, once', () => {
    const { events, responder } = watch();
    const stream = responder.stream();
    stream.write(': keep-alive\n\n');
    stream.write(frame({ method: 'notifications/progress', params: { progress: 1, progressToken: 'x' } }));
    stream.write(frame({ method: 'notifications/message', params: { level: 'info', data: 'hi' } }));
    stream.write(frame({ id: 'x', result: { content: [] } }));
    expect(stream.write(frame({ method: 'notifications/progress', params: { progress: 2 } }))).toBe(false);
    stream.end();
    expect(events.progress).toHaveBeenCalledTimes(1);
    expect(events.progress).toHaveBeenCalledWith({ progress: 1, progressToken: 'x' });
    expect(events.log).toHaveBeenCalledWith({ level: 'info', data: 'hi' });
    expect(events.answered).toHaveBeenCalledTimes(1);
    expect(events.answered).toHaveBeenCalledWith(200, { id: 'x', result: { content: [] } });
  });

  it('tells how far behind the reader is, and lets go of one that does not read', () => {
    const outlet = { queuedBytes: 7, cut: vi.fn() };
    const stream = new TryResponder(watch().events, outlet).stream();
    expect(stream.queuedBytes).toBe(7);
    stream.cut?.();
    expect(outlet.cut).toHaveBeenCalledTimes(1);
    expect(watch().responder.stream().queuedBytes).toBe(0);
  });

  it('takes a plain JSON answer with its status', () => {
    const { events, responder } = watch();
    responder.json(429, '{"error":{"code":-31429,"message":"Over the limit"}}');
    expect(events.answered).toHaveBeenCalledWith(429, { error: { code: -31429, message: 'Over the limit' } });
  });

  it('passes on that the person left, but not after the answer', () => {
    const { responder } = watch();
    const gone = vi.fn();
    responder.onDisconnect(gone);
    responder.disconnect();
    responder.disconnect();
    expect(gone).toHaveBeenCalledTimes(1);
    const late = watch().responder;
    const unheard = vi.fn();
    late.onDisconnect(unheard);
    late.json(200, '{"result":{"content":[]}}');
    late.disconnect();
    expect(unheard).not.toHaveBeenCalled();
  });
});
