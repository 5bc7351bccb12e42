import { changeNotification } from '../dispatch/change-notification.js';
import type { ListenFilter, RequestContext } from '../dispatch/request-context.js';
import type { HandlerContext } from '../jsonrpc/handler-context.js';
import { callAt } from '../ports/call-at.js';
import type { ChangeBus, ServerChange } from '../ports/change-bus.js';
import type { Clock } from '../ports/clock.js';
import { SUBSCRIPTION_ID_KEY } from '../protocol/meta-keys.js';
import { Bursts } from './bursts.js';
import { TaskTelling } from './task-telling.js';

/** Whose streams or sessions are meant; what is left out means any. */
export interface HolderFilter {
  readonly server?: string;
  readonly owner?: string;
}

/** A stream that waits for its host's answer before it opens. */
export interface OpeningStream {
  readonly context: RequestContext;
  /** It was among those that were to end. */
  ended: boolean;
}

interface OpenStream {
  readonly holder: { readonly server: string; readonly owner: string };
  readonly context: RequestContext;
  readonly hear: (change: ServerChange) => void;
}

/** Whether a stream or session is one of those the filter means. */
export function isHeldBy(holder: { readonly server: string; readonly owner: string }, filter: HolderFilter): boolean {
  return (filter.server ?? holder.server) === holder.server && (filter.owner ?? holder.owner) === holder.owner;
}

/**
 * The open `subscriptions/listen` streams of one node (2026-07-28, basic/utilities/subscriptions). Each is on its own:
 * acknowledged first, told what it asked for, ended with a result when the server ends it.
 */
export class ListenStreams {
  readonly #open = new Map<() => void, OpenStream>();
  readonly #opening = new Set<OpeningStream>();

  constructor(
    private readonly changes: ChangeBus,
    private readonly clock: Clock,
  ) {}

  /** Open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** A stream will open once its host has answered: what ends streams until then ends it when it opens. */
  expect(context: RequestContext): OpeningStream {
    const opening: OpeningStream = { context, ended: false };
    this.#opening.add(opening);
    return opening;
  }

  /** It is open, or will not be. */
  forget(opening: OpeningStream): void {
    this.#opening.delete(opening);
  }

  /**
   * Acknowledges and listens: a change that comes several times in one turn of the event loop is told once. Resolves
   * with the final result when the server ends the stream; never, when the client leaves.
   * @param release gives back the slot the stream takes
   */
  run(
    { context, ended }: OpeningStream,
    run: HandlerContext<RequestContext>,
    filter: ListenFilter,
    release: (() => void) | undefined,
  ): Promise<unknown> {
    const _meta = { [SUBSCRIPTION_ID_KEY]: run.id };
    void run.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta });
    return new Promise((resolve) => {
      let forget = () => {};
      const telling = new TaskTelling(context, run, _meta);
      const wanted = new Set(wantedChanges(filter).map(changeKey));
      const bursts = new Bursts<ServerChange>((change) => {
        if (change.kind === 'task') return void telling.tell(change.id);
        if (!mayHear(context, change)) return;
        const { method, params } = changeNotification(change);
        void run.notify(method, { ...params, _meta });
      });
      const hear = (change: ServerChange) => {
        const key = changeKey(change);
        if (key !== undefined && wanted.has(key)) bursts.add(key, change);
      };
      const missed = () => wantedChanges(filter).forEach(hear);
      const unsubscribe = this.changes.subscribe(context.host.server, hear, missed);
      // A task may have changed since its owner has looked at it, for the last time perhaps.
      for (const id of filter.taskIds ?? []) hear({ kind: 'task', id });
      const stop = (): boolean => {
        if (!this.#open.delete(end)) return false;
        unsubscribe();
        forget();
        release?.();
        return true;
      };
      const leave = () => {
        if (stop()) bursts.drop();
      };
      const end = () => {
        if (!stop()) return;
        bursts.flush();
        const envelope = context.revision.envelope(context.server.implementation);
        resolve({ ...envelope, _meta: { ...(envelope._meta as object | undefined), ..._meta } });
      };
      this.#open.set(end, { holder: context.host, context, hear });
      // What changed before the stream was open would never be told.
      for (const id of filter.taskIds ?? []) telling.tell(id);
      run.signal.addEventListener('abort', leave, { once: true });
      if (run.signal.aborted) leave();
      else if (ended) end();
      else forget = callAt(this.clock, context.host.expiresAt, end);
    });
  }

  /** Ends the streams of a server or an owner, or all of them, each with its result. */
  endAll(filter: HolderFilter = {}): void {
    for (const opening of this.#opening) if (isHeldBy(opening.context.host, filter)) opening.ended = true;
    for (const [end, { holder }] of [...this.#open]) if (isHeldBy(holder, filter)) end();
  }

  /** Ends those that a caller is meant by, each with its result; gives how many. */
  endWhere(matches: (context: RequestContext) => boolean): number {
    const ends = [...this.#open].filter(([, { context }]) => matches(context)).map(([end]) => end);
    for (const end of ends) end();
    const opening = [...this.#opening].filter(({ context }) => matches(context));
    for (const one of opening) one.ended = true;
    return ends.length + opening.length;
  }

  /** Tells the streams that are open here, and nobody on another node. */
  tell(server: string, change: ServerChange): void {
    for (const { holder, hear } of this.#open.values()) if (holder.server === server) hear(change);
  }

  /** Whether any stream of a server is open here. */
  hasAny(server: string): boolean {
    for (const { holder } of this.#open.values()) if (holder.server === server) return true;
    return false;
  }
}

/** Names a change among those a stream can ask for; undefined for what no stream is told. */
function changeKey(change: ServerChange): string | undefined {
  if (change.kind === 'list') return `list ${change.list}`;
  if (change.kind === 'task') return `task ${change.id}`;
  return change.kind === 'resource' ? `resource ${change.uri}` : undefined;
}

/** One change of everything a stream can ask for. */
function wantedChanges(filter: ListenFilter): ServerChange[] {
  const changes = (filter.resourceSubscriptions ?? []).map((uri): ServerChange => ({ kind: 'resource', uri }));
  for (const id of filter.taskIds ?? []) changes.push({ kind: 'task', id });
  if (filter.toolsListChanged) changes.push({ kind: 'list', list: 'tools' });
  if (filter.promptsListChanged) changes.push({ kind: 'list', list: 'prompts' });
  if (filter.resourcesListChanged) changes.push({ kind: 'list', list: 'resources' });
  return changes;
}

/** Rights may have changed since the stream was opened. */
function mayHear({ host }: RequestContext, change: ServerChange): boolean {
  return change.kind !== 'resource' || host.hooks?.authorize?.('resources/read', { uri: change.uri }) === undefined;
}
