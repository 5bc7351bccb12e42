import type { LiveFrame } from './frame';

/** `again`: already heard. `gap`: something before it was not heard; only a new snapshot can mend that. */
export type Verdict = 'take' | 'again' | 'gap';

/** Follows the numbers of each topic, so that no change is missed or taken twice, however often the stream breaks. */
export class TopicNumbers {
  readonly #last = new Map<string, number>();

  judge({ topic, kind, number }: Pick<LiveFrame, 'topic' | 'kind' | 'number'>): Verdict {
    const last = this.#last.get(topic);
    if (kind === 'delta' && last !== undefined) {
      if (number <= last) return 'again';
      if (number > last + 1) {
        this.#last.delete(topic);
        return 'gap';
      }
    }
    this.#last.set(topic, number);
    return 'take';
  }

  forget(topic: string): void {
    this.#last.delete(topic);
  }
}
