import type { GantryNode } from '@gantry/contracts';
import type { LiveNodes } from '@gantry/mcp-core';

/** Whether what nodes share can be reached. */
export interface SharedState {
  readonly ok: boolean;
  readonly detail?: string;
}

/** The nodes that serve together. */
export abstract class NodeRegistry implements LiveNodes {
  /** Takes the node's lease and keeps it until `leave`. @throws when it cannot be had */
  abstract join(): Promise<void>;
  /** The node stops: the others hear of it at once. Does not reject. */
  abstract leave(): Promise<void>;
  /** Ids of the nodes that live, as last heard; this one among them. */
  abstract living(): readonly string[];
  abstract isGone(node: string): boolean;
  abstract onGone(listener: (node: string) => void): () => void;
  /** All nodes with what they last said, the oldest first; the gone for ten minutes. @throws `unavailable` */
  abstract list(): Promise<readonly GantryNode[]>;
  /** From memory; undefined where a node shares nothing. */
  abstract shared(): SharedState | undefined;
}

/** Where a node stands in the list. */
export type NodePosition = Pick<GantryNode, 'id' | 'startedAt'>;

/** By start, then by id: an order that beats do not change. */
export function byStart(a: NodePosition, b: NodePosition): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
