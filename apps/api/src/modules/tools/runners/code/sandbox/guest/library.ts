import type { guestCalls } from './calls.js';
import type { guestContent } from './content.js';
import type { guestFetch } from './fetch.js';
import type { guestGlobals } from './globals.js';
import type { GuestEntry, GuestHost } from './host.js';
import type { guestKit } from './kit.js';
import type { guestNotes } from './notes.js';
import type { guestRounds } from './rounds.js';

/** The parts of the library, each a function of its own. */
export interface GuestParts {
  readonly kit: typeof guestKit;
  readonly globals: typeof guestGlobals;
  readonly calls: typeof guestCalls;
  readonly fetch: typeof guestFetch;
  readonly content: typeof guestContent;
  readonly notes: typeof guestNotes;
  readonly rounds: typeof guestRounds;
}

type Described = Record<string, unknown>;

/** Joins the parts: makes `ctx`, runs the function, and hands its end to the host. */
export function guestLibrary(host: GuestHost, parts: GuestParts): GuestEntry {
  const kit = parts.kit(host);
  const { isArray, isNumber, jsonOf, need, parse, show, stringify } = kit;
  parts.globals(host, kit);
  const calls = parts.calls(host, kit);
  const fetch = parts.fetch(host, kit, calls);
  const content = parts.content(kit);
  const notes = parts.notes(host, kit);
  const rounds = parts.rounds(host, kit, calls);
  const protocolErrors = new WeakSet<object>();
  const isProtocolError = WeakSet.prototype.has.bind(protocolErrors);

  const makeContext = (given: Described): Described => ({
    client: given.client,
    principal: given.principal,
    state: given.state,
    signal: calls.signal,
    content,
    fetch,
    ...notes,
    ...rounds.members(given.inputs ?? {}, given.detachable === true),
    sleep(ms: unknown) {
      need(isNumber(ms) && ms >= 0, 'ctx.sleep(ms): ms must be a number of milliseconds, 0 or more');
      return calls.hostCall((call) => host.sleep(call, ms as number)).then(() => undefined);
    },
    error(code: unknown, message: unknown, data?: unknown) {
      need(Number.isSafeInteger(code), 'ctx.error(code, message, data?): code must be an integer');
      const error = Object.assign(new Error(String(message)), { name: 'ProtocolError', code, data });
      protocolErrors.add(error);
      return error;
    },
  });

  const lineOf = (error: unknown): number | undefined => {
    const found = /\btool\.js:(\d+)/.exec(String((error as { stack?: unknown }).stack));
    return found ? Number(found[1]) : undefined;
  };
  const describe = (error: unknown): Described => {
    if (isProtocolError(error as object)) {
      const { code, message, data } = error as { code: number; message: unknown; data: unknown };
      return { how: 'protocol-error', code, message: String(message), dataJson: stringify(data) };
    }
    if (!(error instanceof Error)) return { how: 'threw', message: show(error) };
    return { how: 'threw', message: show(error), line: lineOf(error) };
  };
  const threw = (error: unknown): Described => {
    try {
      return describe(error);
    } catch {
      return { how: 'threw', message: 'a value that cannot be shown' };
    }
  };
  const stateOf = (ctx: Described): string => {
    const json = typeof ctx.state === 'object' && !isArray(ctx.state) && ctx.state !== null && stringify(ctx.state);
    if (json === false || json?.[0] !== '{')
      throw new TypeError('ctx.state must be a JSON object; the state before the call is kept');
    return json;
  };
  const start: GuestEntry[0] = async (module, argumentsJson, contextJson) => {
    const given = parse(contextJson) as Described;
    const ctx = makeContext(given);
    let end: Described;
    let result: string | undefined;
    let state: string | undefined;
    try {
      const tool = (await module).default;
      need(typeof tool === 'function', 'the source must export a function: export default async (args, ctx) => …');
      const value = await (tool as (args: unknown, ctx: unknown) => unknown)(parse(argumentsJson), ctx);
      const asking = rounds.askingOf(value);
      if (asking) {
        const how = stringify({ how: 'input-needed', detaches: asking.detaches });
        return host.end(how, asking.requestsJson, asking.stateJson);
      }
      end = { how: 'returned' };
      try {
        if (value !== undefined) result = jsonOf(value);
      } catch (error) {
        end = { how: 'threw', message: `the result cannot be sent as JSON: ${show(error)}` };
      }
    } catch (error) {
      end = threw(error);
    }
    try {
      if (given.state !== undefined) state = stateOf(ctx);
    } catch (error) {
      end = { how: 'threw', message: `the state cannot be stored: ${show(error)}` };
    }
    host.end(stringify(end), result, state);
  };
  return [start, calls.settle, calls.abort];
}
