import type { Page, ServerDocument, ToolAnswer, ToolDocument } from '@gantry/contracts';
import { toolNameSchema } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, conflict, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, encodeCursor } from '../../common/http/cursor.js';
import { requireMatch } from '../../common/http/etag.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import { isObject } from '../../common/json.js';
import type { Checked } from '../servers/document-checker.js';
import type { Edited } from '../servers/server-edits.js';
import { ServersService } from '../servers/servers.service.js';

/** One tool of a server's stored document. Edits publish at once unless the server holds a draft or says otherwise. */
@Injectable()
export class ToolsService {
  constructor(@Inject(ServersService) private readonly servers: ServersService) {}

  /** In the document's order. */
  async list(
    caller: TenantCaller,
    server: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<ToolDocument>> {
    const { tools } = await this.servers.document(caller, server);
    const after = decodeCursor(cursor, toolNameSchema);
    const start = after === undefined ? 0 : tools.findIndex((tool) => tool.name === after) + 1;
    if (after !== undefined && start === 0) {
      throw new AppError('bad_request', `The list changed: tool "${after}" of the page before is gone. Begin again.`);
    }
    const items = tools.slice(start, start + limit);
    const last = items.at(-1);
    return { items, ...(last && start + limit < tools.length ? { nextCursor: encodeCursor(last.name) } : {}) };
  }

  async get(caller: TenantCaller, server: string, name: string): Promise<ToolDocument> {
    return toolOf(await this.servers.document(caller, server), name);
  }

  async create(caller: TenantCaller, server: string, raw: unknown): Promise<ToolAnswer> {
    await this.servers.document(caller, server);
    const checked = await this.servers.checkTool(caller, raw);
    const { name } = checked.value;
    const edited = await this.edit(caller, server, 'tool.create', name, checked, (document) =>
      added(document, checked.value),
    );
    return answer(checked, edited);
  }

  /** Replaces a tool, or adds it at the end. A body with another name renames it. */
  async put(
    caller: TenantCaller,
    server: string,
    name: string,
    raw: unknown,
    ifMatch: string | undefined,
  ): Promise<{ answer: ToolAnswer; created: boolean }> {
    await this.servers.document(caller, server);
    const checked = await this.servers.checkTool(caller, withName(raw, name));
    let created = false;
    const edited = await this.edit(caller, server, 'tool.update', name, checked, (document) => {
      const before = document.tools.find((tool) => tool.name === name);
      requireMatch(ifMatch, before);
      created = before === undefined;
      return created ? added(document, checked.value) : replaced(document, name, checked.value);
    });
    return { answer: answer(checked, edited), created };
  }

  /** Replaces single fields; `null` removes one (RFC 7396 at the first level). */
  async patch(
    caller: TenantCaller,
    server: string,
    name: string,
    patch: Readonly<Record<string, unknown>>,
    ifMatch: string | undefined,
  ): Promise<ToolAnswer> {
    const before = await this.get(caller, server, name);
    requireMatch(ifMatch, before);
    const checked = await this.servers.checkTool(caller, merged(before, patch));
    const edited = await this.edit(caller, server, 'tool.update', name, checked, (document) => {
      // Checking took a moment: what was merged into must still be what is stored.
      if (JSON.stringify(toolOf(document, name)) !== JSON.stringify(before)) {
        throw conflict(`Tool "${name}" was changed at the same time. Read it again and repeat your change.`);
      }
      return replaced(document, name, checked.value);
    });
    return answer(checked, edited);
  }

  async delete(caller: TenantCaller, server: string, name: string, ifMatch: string | undefined): Promise<void> {
    await this.servers.edit(
      caller,
      server,
      (document) => {
        requireMatch(ifMatch, toolOf(document, name));
        return { ...document, tools: document.tools.filter((tool) => tool.name !== name) };
      },
      { action: 'tool.delete', detail: { tool: name }, publish: 'auto' },
    );
  }

  private edit(
    caller: TenantCaller,
    server: string,
    action: string,
    tool: string,
    { warnings }: Checked<ToolDocument>,
    edit: (document: ServerDocument) => ServerDocument,
  ): Promise<Edited> {
    return this.servers.edit(caller, server, edit, { action, detail: { tool }, warnings, publish: 'auto' });
  }
}

function toolOf(document: ServerDocument, name: string): ToolDocument {
  const tool = document.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw notFound('tool');
  return tool;
}

function added(document: ServerDocument, tool: ToolDocument): ServerDocument {
  requireFreeName(document, tool.name);
  return { ...document, tools: [...document.tools, tool] };
}

function replaced(document: ServerDocument, name: string, tool: ToolDocument): ServerDocument {
  if (tool.name !== name) requireFreeName(document, tool.name);
  return { ...document, tools: document.tools.map((old) => (old.name === name ? tool : old)) };
}

function requireFreeName(document: ServerDocument, name: string): void {
  if (document.tools.some((tool) => tool.name === name)) throw conflict(`There is a tool "${name}" already.`);
}

/** The name may be left to the path. */
function withName(raw: unknown, name: string): unknown {
  return isObject(raw) && !('name' in raw) ? { name, ...raw } : raw;
}

function merged(tool: ToolDocument, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...tool, ...patch }).filter(([, value]) => value !== null));
}

function answer({ value: tool }: Checked<ToolDocument>, { row, warnings }: Edited): ToolAnswer {
  return { tool, revision: row.published, warnings: [...warnings] };
}
