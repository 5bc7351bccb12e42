import type { HostContext } from '../../dispatch/host.js';
import type { Relayed } from '../../dispatch/job-desk.js';
import type { PreparedServer } from '../../dispatch/prepared-server.js';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import type { ReplyStream, Submitted } from '../../ports/jobs.js';
import type { LiveSession } from '../../sessions/live-session.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { Revision } from '../../wire/revision.js';
import type { FrameStream, HttpResponder } from '../http-exchange.js';
import type { BatchSlot } from './batch-answer.js';
import { relayAlone } from './relay.js';
import type { EndpointServices } from './services.js';
import { SessionExchange } from './session-exchange.js';

/** A batch has one connection, and it is not its members' to answer on or to watch. */
const NO_CONNECTION: HttpResponder = {
  json() {},
  empty() {},
  stream(): FrameStream {
    throw new Error('a request of a batch has no stream of its own');
  },
  onDisconnect() {},
};

/** One request of a batch: a request in a session that says what it has to say in its place of the batch's answer. */
export class BatchedExchange extends SessionExchange {
  constructor(
    services: EndpointServices,
    host: HostContext,
    server: PreparedServer,
    request: JsonRpcRequest,
    accepts: Acceptable,
    revision: Revision,
    session: LiveSession,
    private readonly slot: BatchSlot,
  ) {
    super(services, NO_CONNECTION, host, server, request, accepts, revision, session);
    slot.abandon = (reason) => {
      this.endUnread('error');
      this.stopWork(reason);
    };
  }

  /** The batch has one stream for all of its members: a job's answer takes its place among theirs. */
  override relay(
    submit: (reply: ReplyStream) => Promise<Submitted>,
    signal: AbortSignal,
    keyed: boolean,
  ): Promise<Relayed> {
    return relayAlone(
      this.services,
      this.relayed(submit, signal, () => keyed),
    );
  }

  override async askable(signal: AbortSignal): Promise<string | undefined> {
    const obstacle = await super.askable(signal);
    return obstacle ?? (this.slot.reachable ? undefined : 'it has closed the connection');
  }

  protected override get unheard(): boolean {
    return this.slot.unheard;
  }

  override sessionEnded(): void {
    const words = 'The session has ended';
    if (!this.slot.streaming) this.fail(words);
    this.stopWork(words);
  }

  protected override openStream(): void {
    this.slot.openStream();
  }

  protected override stream(json: string): void {
    this.slot.say(json);
  }

  protected override streamLast(json: string): boolean {
    this.slot.settle(json);
    return true;
  }

  protected override streamEnd(): boolean {
    this.slot.settle(undefined);
    return true;
  }
}
