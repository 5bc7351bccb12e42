import type { GantryNode } from '@gantry/contracts';
import type { Clock } from '@gantry/mcp-core';
import { NodeRegistry } from './node-registry.js';
import type { NodeSelf } from './node-self.js';

/** A node that is alone: nobody else lives, and nobody is gone. */
export class LoneNodeRegistry extends NodeRegistry {
  constructor(
    private readonly self: NodeSelf,
    private readonly clock: Clock,
  ) {
    super();
  }

  async join(): Promise<void> {}

  async leave(): Promise<void> {}

  living(): readonly string[] {
    return [this.self.id];
  }

  isGone(): boolean {
    return false;
  }

  onGone(): () => void {
    return () => undefined;
  }

  async list(): Promise<readonly GantryNode[]> {
    const lastSeenAt = new Date(this.clock.now()).toISOString();
    return [{ id: this.self.id, ...this.self.facts(), lastSeenAt, answering: true }];
  }

  shared(): undefined {
    return undefined;
  }
}
