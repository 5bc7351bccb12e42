import { randomBytes } from 'node:crypto';
import type { Clock } from '@gantry/mcp-core';
import { type FeedSource, TopicFeed } from './topic-feed.js';
import type { WatchBoard } from './watch-board.js';

/** A topic that somebody may read: as it is called outside, and the matter it is about. */
export interface GrantedTopic {
  readonly topic: string;
  /** Unlike that of any other matter, also of a tenant that had the same name before. */
  readonly matter: string;
  /** Which of its readers are shown the same, where not all are. */
  readonly view?: 'whole' | 'withheld';
  readonly tenantId: string | undefined;
  source(): FeedSource;
}

/** The feeds of this node: one a matter and view, as long as somebody reads it or may come back for it. */
export class Feeds {
  private readonly feeds = new Map<string, TopicFeed>();

  constructor(
    private readonly board: WatchBoard,
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
  ) {}

  of({ topic, matter, view = 'whole', source }: GrantedTopic): TopicFeed {
    const name = `${view} ${matter}`;
    const there = this.feeds.get(name);
    if (there !== undefined) return there;
    const feed = new TopicFeed({
      topic,
      epoch: randomBytes(6).toString('base64url'),
      source: source(),
      clock: this.clock,
      watch: (listener) => this.board.watch(matter, listener),
      onFault: this.onFault,
      onIdle: () => {
        this.feeds.delete(name);
        feed.close();
      },
    });
    this.feeds.set(name, feed);
    return feed;
  }

  close(): void {
    for (const feed of this.feeds.values()) feed.close();
    this.feeds.clear();
  }
}
