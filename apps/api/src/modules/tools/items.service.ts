import type { Page, PointedMessage, ServerDocument } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AppError, conflict, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, encodeCursor } from '../../common/http/cursor.js';
import { requireMatch } from '../../common/http/etag.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import { isObject } from '../../common/json.js';
import type { Checked } from '../servers/document-checker.js';
import { type ItemDocuments, type ItemKind, type ItemList, idOf, isNamed, itemsOf } from '../servers/item-kinds.js';
import type { Edited } from '../servers/server-edits.js';
import { ServersService } from '../servers/servers.service.js';

/** What a change of an item left behind. */
export interface ChangedItem<Item> {
  readonly item: Item;
  /** The published revision after it. */
  readonly revision: number;
  readonly warnings: readonly PointedMessage[];
  readonly created: boolean;
}

/**
 * Single items of a server's stored document: tools, prompts, resources, resource templates. Edits publish at once unless
 * the server holds a draft or says otherwise.
 */
@Injectable()
export class ItemsService {
  constructor(@Inject(ServersService) private readonly servers: ServersService) {}

  /** In the document's order. */
  async list<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<ItemDocuments[List]>> {
    const all = itemsOf(kind, await this.servers.document(caller, server));
    const after = decodeCursor(cursor, z.string());
    const start = after === undefined ? 0 : all.findIndex((item) => idOf(kind, item) === after) + 1;
    if (after !== undefined && start === 0) {
      const gone = `${kind.words} "${after}" of the page before is gone`;
      throw new AppError('bad_request', `The list changed: ${gone}. Begin again.`);
    }
    const items = all.slice(start, start + limit);
    const last = items.at(-1);
    return { items, ...(last && start + limit < all.length ? { nextCursor: encodeCursor(idOf(kind, last)) } : {}) };
  }

  async get<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    id: string,
  ): Promise<ItemDocuments[List]> {
    return found(kind, await this.servers.document(caller, server), id);
  }

  async create<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    raw: unknown,
  ): Promise<ChangedItem<ItemDocuments[List]>> {
    await this.servers.document(caller, server);
    const checked = await this.servers.checkItem(caller, kind, raw);
    const about = { id: idOf(kind, checked.value), verb: 'create', checked };
    const edited = await this.edit(kind, caller, server, about, (document) => added(kind, document, checked.value));
    return changed(checked, edited, true);
  }

  /** Replaces an item, or adds it at the end. A body with another name renames it. */
  async put<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    id: string,
    raw: unknown,
    ifMatch: string | undefined,
  ): Promise<ChangedItem<ItemDocuments[List]>> {
    await this.servers.document(caller, server);
    const checked = await this.servers.checkItem(caller, kind, withId(kind, raw, id));
    let created = false;
    const edited = await this.edit(kind, caller, server, { id, verb: 'update', checked }, (document) => {
      const before = itemsOf(kind, document).find(isNamed(kind, id));
      requireMatch(ifMatch, before);
      created = before === undefined;
      return created ? added(kind, document, checked.value) : replaced(kind, document, id, checked.value);
    });
    return changed(checked, edited, created);
  }

  /** Replaces single fields; `null` removes one (RFC 7396 at the first level). */
  async patch<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    id: string,
    patch: Readonly<Record<string, unknown>>,
    ifMatch: string | undefined,
  ): Promise<ChangedItem<ItemDocuments[List]>> {
    const before = await this.get(kind, caller, server, id);
    requireMatch(ifMatch, before);
    const checked = await this.servers.checkItem(caller, kind, merged(before, patch));
    const edited = await this.edit(kind, caller, server, { id, verb: 'update', checked }, (document) => {
      // Checking took a moment: what was merged into must still be what is stored.
      if (JSON.stringify(found(kind, document, id)) !== JSON.stringify(before)) {
        throw conflict(
          `${capital(kind.words)} "${id}" was changed at the same time. Read it again and repeat your change.`,
        );
      }
      return replaced(kind, document, id, checked.value);
    });
    return changed(checked, edited, false);
  }

  async delete<List extends ItemList>(
    kind: ItemKind<List>,
    caller: TenantCaller,
    server: string,
    id: string,
    ifMatch: string | undefined,
  ): Promise<void> {
    await this.edit(kind, caller, server, { id, verb: 'delete' }, (document) => {
      requireMatch(ifMatch, found(kind, document, id));
      const isGone = isNamed(kind, id);
      return { ...document, [kind.list]: itemsOf(kind, document).filter((item) => !isGone(item)) };
    });
  }

  private edit(
    kind: Pick<ItemKind, 'noun'>,
    caller: TenantCaller,
    server: string,
    { id, verb, checked }: { id: string; verb: string; checked?: Checked<unknown> },
    edit: (document: ServerDocument) => ServerDocument,
  ): Promise<Edited> {
    return this.servers.edit(caller, server, edit, {
      action: `${kind.noun}.${verb}`,
      detail: { [kind.noun]: id },
      warnings: checked?.warnings,
      publish: 'auto',
    });
  }
}

function found<List extends ItemList>(kind: ItemKind<List>, document: ServerDocument, id: string): ItemDocuments[List] {
  const item = itemsOf(kind, document).find(isNamed(kind, id));
  if (item === undefined) throw notFound(kind.words);
  return item;
}

function added<List extends ItemList>(
  kind: ItemKind<List>,
  document: ServerDocument,
  item: ItemDocuments[List],
): ServerDocument {
  requireFreeId(kind, document, idOf(kind, item));
  return { ...document, [kind.list]: [...itemsOf(kind, document), item] };
}

function replaced<List extends ItemList>(
  kind: ItemKind<List>,
  document: ServerDocument,
  id: string,
  item: ItemDocuments[List],
): ServerDocument {
  const isOld = isNamed(kind, id);
  if (!isOld(item)) requireFreeId(kind, document, idOf(kind, item));
  return { ...document, [kind.list]: itemsOf(kind, document).map((old) => (isOld(old) ? item : old)) };
}

function requireFreeId<List extends ItemList>(kind: ItemKind<List>, document: ServerDocument, id: string): void {
  if (itemsOf(kind, document).some(isNamed(kind, id))) {
    throw conflict(`There is a ${kind.words} "${id}" already.`);
  }
}

/** The name may be left to the path. */
function withId({ key }: { readonly key: string }, raw: unknown, id: string): unknown {
  return isObject(raw) && !(key in raw) ? { [key]: id, ...raw } : raw;
}

function merged(item: object, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...item, ...patch }).filter(([, value]) => value !== null));
}

function changed<Item>({ value: item }: Checked<Item>, { row, warnings }: Edited, created: boolean): ChangedItem<Item> {
  return { item, revision: row.published, warnings, created };
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
