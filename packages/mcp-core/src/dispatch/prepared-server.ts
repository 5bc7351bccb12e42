import { PreEncoded } from '../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { CatalogueSnapshot, CatalogueTool } from '../ports/catalogue.js';
import { decodeCursor, encodeCursor } from '../protocol/cursor.js';
import type { Implementation } from '../protocol/types.js';
import { encodeJson } from '../protocol/well-formed.js';
import { type HeaderRule, readHeaderRules } from '../wire/rev-2026-07-28/param-headers.js';
import type { Revision } from '../wire/revision.js';

/** A page of a list is cut before it grows larger than this; one item alone may be larger. */
export const MAX_PAGE_BYTES = 1024 * 1024;

export interface PreparedTool {
  readonly catalogued: CatalogueTool;
  readonly headerRules: readonly HeaderRule[];
}

interface Page {
  readonly start: number;
  readonly result: PreEncoded;
}

/** What is derived from a snapshot, made once and kept as long as the snapshot lives. */
export class PreparedServer {
  readonly implementation: Implementation;
  readonly #tools = new Map<string, CatalogueTool>();
  readonly #prepared = new Map<string, PreparedTool>();
  readonly #listings = new Map<string, ToolListing>();

  constructor(
    readonly key: string,
    readonly snapshot: CatalogueSnapshot,
  ) {
    this.implementation = { ...snapshot.serverInfo };
    for (const tool of snapshot.tools) this.#tools.set(tool.definition.name, tool);
  }

  tool(name: string): PreparedTool | undefined {
    const known = this.#prepared.get(name);
    if (known !== undefined) return known;
    const catalogued = this.#tools.get(name);
    if (catalogued === undefined) return undefined;
    const prepared = { catalogued, headerRules: readHeaderRules(catalogued.definition.inputSchema).rules };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /** @throws MCPError -32602 for a cursor that is not one of this list's */
  toolPage(revision: Revision, cursor: unknown): PreEncoded {
    let listing = this.#listings.get(revision.name);
    if (listing === undefined) {
      listing = new ToolListing(this, revision);
      this.#listings.set(revision.name, listing);
    }
    return listing.page(cursor);
  }
}

const servers = new WeakMap<CatalogueSnapshot, PreparedServer>();

/** One `PreparedServer` a snapshot. */
export function prepare(key: string, snapshot: CatalogueSnapshot): PreparedServer {
  let prepared = servers.get(snapshot);
  if (prepared === undefined || prepared.key !== key) {
    prepared = new PreparedServer(key, snapshot);
    servers.set(snapshot, prepared);
  }
  return prepared;
}

/** `tools/list` of one snapshot in one revision, page by page, as bytes. */
class ToolListing {
  readonly #pages = new Map<number, PreEncoded>();
  readonly #tail: string;
  readonly #list: string;

  constructor(
    private readonly server: PreparedServer,
    private readonly revision: Revision,
  ) {
    this.#list = `tools ${server.key}`;
    const members = { ...revision.cacheHints(), ...revision.envelope(server.implementation) };
    const text = encodeJson(members).slice(1, -1);
    this.#tail = text === '' ? '}' : `,${text}}`;
  }

  page(cursor: unknown): PreEncoded {
    const start = cursor === undefined ? 0 : this.#startOf(cursor);
    const known = this.#pages.get(start);
    if (known !== undefined) return known;
    const page = this.#make(start);
    // Only pages a plain walk visits are kept: with cursors of older snapshots a page might begin anywhere.
    if (start === 0 || this.#isWalked(start)) this.#pages.set(page.start, page.result);
    return page.result;
  }

  readonly #walked = new Set<number>();
  #isWalked(start: number): boolean {
    return this.#walked.has(start);
  }

  #make(start: number): Page {
    const { tools, settings } = this.server.snapshot;
    const items: string[] = [];
    let bytes = 0;
    let at = start;
    for (; at < tools.length && items.length < settings.pageSize; at++) {
      const tool = tools[at] as CatalogueTool;
      const item = encodeJson(this.revision.listedTool(tool.definition));
      bytes += Buffer.byteLength(item) + 1;
      if (items.length > 0 && bytes > MAX_PAGE_BYTES) break;
      items.push(item);
    }
    const last = tools[at - 1];
    let next = '';
    if (at < tools.length && last !== undefined) {
      if (start === 0 || this.#walked.has(start)) this.#walked.add(at);
      next = `,"nextCursor":${JSON.stringify(encodeCursor(this.#list, { after: last.definition.name, index: at }))}`;
    }
    return { start, result: new PreEncoded(`{"tools":[${items.join(',')}]${next}${this.#tail}`) };
  }

  #startOf(cursor: unknown): number {
    const position = decodeCursor(this.#list, cursor);
    if (position === undefined) {
      throw new MCPError(MCP_CODES.INVALID_PARAMS, 'Invalid params: cursor is not one of this list');
    }
    const { tools } = this.server.snapshot;
    if (tools[position.index - 1]?.definition.name === position.after) return position.index;
    const found = tools.findIndex(({ definition }) => definition.name === position.after);
    return found === -1 ? Math.min(position.index, tools.length) : found + 1;
  }
}
