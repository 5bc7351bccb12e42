import type { GantryNode, Page } from '@gantry/contracts';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { AppError, conflict, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import type { Caller } from '../../common/http/request-context.js';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import { Mutations } from '../audit/mutations.js';
import { byStart, NodeRegistry } from './node-registry.js';
import { NodeSelf } from './node-self.js';

const CONFIRM_MS = 5_000;
const DRAIN = 'node.drain';
const UNDRAIN = 'node.undrain';
const positionSchema = z.strictObject({ startedAt: z.string().max(64), id: z.string().max(64) });

/** What a node answers when it was asked to drain or to stop draining. */
type Confirmation = Pick<GantryNode, 'state'> | 'stopping';

/** The nodes that serve, for those who run them. */
@Injectable()
export class NodesService implements OnModuleInit {
  constructor(
    @Inject(NodeRegistry) private readonly registry: NodeRegistry,
    @Inject(NodeSelf) private readonly self: NodeSelf,
    @Inject(NodeCalls) private readonly calls: NodeCalls,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  onModuleInit(): void {
    this.calls.answer(DRAIN, () => {
      this.self.drain();
      return this.confirmation();
    });
    this.calls.answer(UNDRAIN, () => {
      if (this.self.stopping) return 'stopping';
      this.self.undrain();
      return this.confirmation();
    });
  }

  async list(limit: number, cursor: string | undefined): Promise<Page<GantryNode>> {
    const after = decodeCursor(cursor, positionSchema);
    const nodes = await this.registry.list();
    const rest = after === undefined ? nodes : nodes.filter((node) => byStart(node, after) > 0);
    return pageOf(
      rest.slice(0, limit + 1),
      limit,
      (node) => node,
      ({ startedAt, id }) => ({ startedAt, id }),
    );
  }

  /** Empties a node. Resolves when it has confirmed that it takes part no more. */
  drain(caller: Caller, id: string): Promise<GantryNode> {
    return this.tell(caller, id, DRAIN);
  }

  undrain(caller: Caller, id: string): Promise<GantryNode> {
    return this.tell(caller, id, UNDRAIN);
  }

  private async tell(caller: Caller, id: string, operation: typeof DRAIN | typeof UNDRAIN): Promise<GantryNode> {
    const node = (await this.registry.list()).find((one) => one.id === id);
    if (node === undefined) throw notFound('node');
    if (node.state === 'gone') throw conflict('This node is gone.');
    // Written before it is done: a node may carry out what it does not live to confirm.
    await this.mutations.onPlatform(caller, ({ record }) =>
      record({ action: operation, object: `node/${id}`, tenantId: null, changes: [] }),
    );
    const answer = await this.calls.ask<Confirmation>(id, operation, undefined, CONFIRM_MS);
    if (answer === 'silent') {
      const seconds = CONFIRM_MS / 1_000;
      throw new AppError('node_silent', `The node has not confirmed within ${seconds} s; it may have done it or not.`);
    }
    if (answer === 'stopping') throw conflict('This node is about to stop.');
    return { ...node, ...answer };
  }

  private confirmation(): Confirmation {
    return { state: this.self.facts().state };
  }
}
