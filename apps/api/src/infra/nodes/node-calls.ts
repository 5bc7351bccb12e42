import type { Clock, Timer } from '@gantry/mcp-core';
import type { NodeChannel } from './node-channel.js';

/** Asks are about one thing; whoever has more to say says where to read it. */
const ASK_BYTES = 64 * 1024;
const ANSWER_BYTES = 1024 * 1024;
const PENDING_MAX = 10_000;
const ASK = 'ask';
const ANSWER = 'answer';

/** A node has answered that it could not do what it was asked. */
export class NodeFault extends Error {}

/** What was gathered from all living nodes: answers by node, and the nodes that gave none. */
export interface Gathered<T> {
  readonly answers: ReadonlyMap<string, T>;
  readonly silent: readonly string[];
}

export type AnswerHandler = (body: unknown, from: string) => unknown;

export interface NodeCallsOptions {
  readonly channel: NodeChannel;
  readonly clock: Clock;
  /** The nodes that live, as last heard; this node is always asked as well. */
  readonly living: () => readonly string[];
  /** Told of a handler that threw. */
  readonly onFault: (error: unknown) => void;
}

interface Pending {
  readonly node: string;
  readonly settle: (answer: Answer | 'silent') => void;
}

interface Ask {
  readonly id: number;
  readonly operation: string;
  readonly body?: unknown;
}

interface Answer {
  readonly id: number;
  readonly body?: unknown;
  readonly fault?: string;
}

/**
 * Questions from node to node, with an answer or a deadline. Bodies are JSON: 64 KiB for a question, 1 MiB for an
 * answer. A question may be lost, and its answer too: who hears nothing does not know whether it was carried out.
 */
export class NodeCalls {
  private readonly handlers = new Map<string, AnswerHandler>();
  private readonly pending = new Map<number, Pending>();
  private readonly stops: readonly (() => void)[];
  private lastId = 0;

  constructor(private readonly options: NodeCallsOptions) {
    const { channel } = options;
    this.stops = [
      channel.on(ASK, (text, from) => void this.asked(text, from).catch(options.onFault)),
      channel.on(ANSWER, (text, from) => this.answered(text, from)),
    ];
  }

  /** This node's answer to an operation. Returns the function that ends it. */
  answer(operation: string, handler: AnswerHandler): () => void {
    if (this.handlers.has(operation)) throw new Error(`"${operation}" is answered already`);
    this.handlers.set(operation, handler);
    return () => void this.handlers.delete(operation);
  }

  /**
   * Asks one node; this one is asked without a detour. `silent` when nothing came within the deadline.
   * @throws NodeFault when the node answered that it could not
   */
  async ask<T>(node: string, operation: string, body: unknown, deadlineMs: number): Promise<T | 'silent'> {
    const answer = await this.send(node, operation, body, deadlineMs);
    if (answer === 'silent') return 'silent';
    if (answer.fault !== undefined) throw new NodeFault(answer.fault);
    return answer.body as T;
  }

  /** Asks every living node at once and gathers what comes within the deadline; who could not counts as silent. */
  async askAll<T>(operation: string, body: unknown, deadlineMs: number): Promise<Gathered<T>> {
    const { channel, living } = this.options;
    const nodes = [...new Set([channel.nodeId, ...living()])];
    const got = await Promise.all(nodes.map((node) => this.send(node, operation, body, deadlineMs)));
    const answers = new Map<string, T>();
    const silent: string[] = [];
    for (const [at, node] of nodes.entries()) {
      const answer = got[at];
      if (answer === undefined || answer === 'silent' || answer.fault !== undefined) silent.push(node);
      else answers.set(node, answer.body as T);
    }
    return { answers, silent };
  }

  /** Whoever still waits hears nothing more. */
  close(): void {
    for (const stop of this.stops) stop();
    for (const { settle } of [...this.pending.values()]) settle('silent');
  }

  private send(node: string, operation: string, body: unknown, deadlineMs: number): Promise<Answer | 'silent'> {
    const { channel, clock } = this.options;
    this.lastId += 1;
    const ask: Ask = { id: this.lastId, operation, body };
    const text = JSON.stringify(ask);
    if (Buffer.byteLength(text) > ASK_BYTES) throw new RangeError(`a question of more than ${ASK_BYTES} bytes`);
    if (this.pending.size >= PENDING_MAX) throw new RangeError(`more than ${PENDING_MAX} questions wait for nodes`);
    return new Promise((resolve) => {
      const settle = (answer: Answer | 'silent') => {
        timer.cancel();
        this.pending.delete(ask.id);
        resolve(answer);
      };
      const timer: Timer = clock.setTimer(deadlineMs, () => settle('silent'));
      this.pending.set(ask.id, { node, settle });
      if (node === channel.nodeId) void this.handled(text, node).then((answer) => this.answered(answer, node));
      else channel.send(node, ASK, text);
    });
  }

  private async asked(text: string, from: string): Promise<void> {
    this.options.channel.send(from, ANSWER, await this.handled(text, from));
  }

  /** Does not reject: what goes wrong is the answer. */
  private async handled(text: string, from: string): Promise<string> {
    const { id, operation, body } = JSON.parse(text) as Ask;
    const handler = this.handlers.get(operation);
    // A node of another version may know more operations than this one.
    if (handler === undefined) return faultText(id, `this node knows no "${operation}"`);
    try {
      const answer: Answer = { id, body: await handler(body, from) };
      const encoded = JSON.stringify(answer);
      if (Buffer.byteLength(encoded) > ANSWER_BYTES) throw new RangeError(`more than ${ANSWER_BYTES} bytes to answer`);
      return encoded;
    } catch (error) {
      this.options.onFault(error);
      return faultText(id, error instanceof Error ? error.message : String(error));
    }
  }

  private answered(text: string, from: string): void {
    const answer = JSON.parse(text) as Answer;
    const pending = this.pending.get(answer.id);
    if (pending?.node === from) pending.settle(answer);
  }
}

function faultText(id: number, fault: string): string {
  return JSON.stringify({ id, fault: fault.slice(0, 500) } satisfies Answer);
}
