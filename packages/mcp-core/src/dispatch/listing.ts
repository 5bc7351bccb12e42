import { PreEncoded } from '../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import { decodeCursor, encodeCursor } from '../protocol/cursor.js';
import { encodeJson } from '../protocol/well-formed.js';

/** A page of a list is cut before it grows larger than this; one item alone may be larger. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** One list of one snapshot as one revision shows it. */
export interface ListingPlan<T> {
  /** What cursors belong to: the list and its server. */
  readonly cursorScope: string;
  /** The result's member that holds the items. */
  readonly member: string;
  readonly items: readonly T[];
  readonly pageSize: number;
  /** What tells an item from all others of the list. */
  keyOf(item: T): string;
  shown(item: T): object;
  /** Members of every page beside its items. */
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** A list page by page, as bytes that are made once. */
export class Listing<T> {
  readonly #pages = new Map<number, PreEncoded>();
  /** Where the pages of a plain walk begin. */
  readonly #walked = new Set([0]);
  readonly #tail: string;

  constructor(private readonly plan: ListingPlan<T>) {
    const text = encodeJson(plan.envelope).slice(1, -1);
    this.#tail = text === '' ? '}' : `,${text}}`;
  }

  /** @throws MCPError -32602 for a cursor that is not one of this list's */
  page(cursor: unknown): PreEncoded {
    const start = cursor === undefined ? 0 : this.#startOf(cursor);
    const known = this.#pages.get(start);
    if (known !== undefined) return known;
    const page = this.#make(start);
    // Only pages a plain walk visits are kept: with cursors of older snapshots a page might begin anywhere.
    if (this.#walked.has(start)) this.#pages.set(start, page);
    return page;
  }

  #make(start: number): PreEncoded {
    const { items, pageSize, member, keyOf, shown, cursorScope } = this.plan;
    const texts: string[] = [];
    let bytes = 0;
    let at = start;
    for (; at < items.length && texts.length < pageSize; at++) {
      const item = encodeJson(shown(items[at] as T));
      bytes += Buffer.byteLength(item) + 1;
      if (texts.length > 0 && bytes > MAX_PAGE_BYTES) break;
      texts.push(item);
    }
    let next = '';
    if (at < items.length && at > start) {
      if (this.#walked.has(start)) this.#walked.add(at);
      const position = { after: keyOf(items[at - 1] as T), index: at };
      next = `,"nextCursor":${JSON.stringify(encodeCursor(cursorScope, position))}`;
    }
    return new PreEncoded(`{"${member}":[${texts.join(',')}]${next}${this.#tail}`);
  }

  #startOf(cursor: unknown): number {
    const { items, keyOf, cursorScope } = this.plan;
    const position = decodeCursor(cursorScope, cursor);
    if (position === undefined) {
      throw new MCPError(MCP_CODES.INVALID_PARAMS, 'Invalid params: cursor is not one of this list');
    }
    const { after, index } = position;
    const before = items[index - 1];
    if (before !== undefined && keyOf(before) === after) return index;
    const found = items.findIndex((item) => keyOf(item) === after);
    return found === -1 ? Math.min(Math.max(index, 0), items.length) : found + 1;
  }
}
