import type { Clock, Timer } from '@gantry/mcp-core';
import type { RecentCalls } from '../calls/recent-calls.js';
import type { JobEvents } from '../jobs/job-events.js';
import type { NodeRegistry } from '../nodes/node-registry.js';
import type { NodeSelf } from '../nodes/node-self.js';
import type { StatelessClients } from '../sessions/view/stateless-clients.js';
import type { TraceRings } from '../sessions/view/trace-rings.js';
import { ENDED, matters } from './sources.js';
import type { WatchBoard } from './watch-board.js';

/** As often as a node says what it holds. */
const NODE_BEAT_MS = 1_000;

export interface LiveHintsParts {
  readonly board: WatchBoard;
  readonly rings: TraceRings;
  readonly clients: StatelessClients;
  readonly calls: RecentCalls;
  readonly jobs: JobEvents;
  readonly registry: NodeRegistry;
  readonly self: NodeSelf;
  readonly clock: Clock;
}

/** Tells whoever watches what happens on this node. */
export class LiveHints {
  private readonly stops: readonly (() => void)[];
  private beat: Timer | undefined;

  constructor(private readonly parts: LiveHintsParts) {
    const { board, rings, clients, calls, jobs, registry, self } = parts;
    this.stops = [
      rings.onChange((tenantId, id, ended) => {
        if (board.idle) return;
        board.hint(matters.sessions(tenantId), id, ended ? ENDED : undefined);
        board.hint(matters.session(tenantId, id), id, ended ? ENDED : undefined);
      }),
      clients.onChange((tenantId, id) => {
        if (board.idle) return;
        board.hint(matters.sessions(tenantId), id);
        board.hint(matters.session(tenantId, id), id);
      }),
      calls.onWritten((tenantId, call) => {
        if (board.idle) return;
        const written = call();
        board.hint(matters.calls(tenantId), written.id, written);
      }),
      jobs.on(({ tenantId, id }) => {
        if (!board.idle) board.hint(matters.jobs(tenantId), id);
      }),
      registry.onGone((node) => board.hint(matters.nodes, node)),
      self.onDrain(() => board.hint(matters.nodes, self.id)),
    ];
    board.onWatched((matter) => {
      if (matter === matters.nodes) this.beatOn();
    });
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.beat?.cancel();
  }

  /** While somebody watches the nodes, this one says so each time that its load may have been told anew. */
  private beatOn(): void {
    this.beat ??= this.parts.clock.setTimer(NODE_BEAT_MS, () => {
      this.beat = undefined;
      const { board, self } = this.parts;
      if (!board.isWatched(matters.nodes)) return;
      board.hint(matters.nodes, self.id);
      this.beatOn();
    });
  }
}
