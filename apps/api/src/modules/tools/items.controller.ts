import { itemPatchSchema, type Page, type PageQuery, pageQuerySchema } from '@gantry/contracts';
import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Res,
  type Type,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { etagOf } from '../../common/http/etag.js';
import { RawBody, ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import type { ItemDocuments, ItemKind, ItemList } from '../servers/item-kinds.js';
import { type ChangedItem, ItemsService } from './items.service.js';

/** What of the contract differs from list to list. */
export interface ItemRoutes<List extends ItemList> {
  readonly kind: ItemKind<List>;
  /** "a tool" */
  readonly one: string;
  readonly pageSchema: z.ZodType;
  readonly answerSchema: z.ZodType;
}

/** The controller of one list of a server document. In its paths an item is named percent-encoded. */
export function itemsController<List extends ItemList>({
  kind,
  one,
  pageSchema,
  answerSchema,
}: ItemRoutes<List>): Type<unknown> {
  type Item = ItemDocuments[List];
  const itemSchema = kind.schema;
  const item = `:${kind.key}`;

  function answer(reply: FastifyReply, { item, revision, warnings }: ChangedItem<Item>): object {
    reply.header('etag', etagOf(item));
    return { [kind.noun]: item, revision, warnings };
  }

  @Controller(`api/v1/tenants/:tenant/servers/:server/${kind.list}`)
  class ItemsController {
    constructor(@Inject(ItemsService) private readonly items: ItemsService) {}

    @Get()
    @Operation({
      summary: `List a server's ${kind.words}s in the document's order`,
      access: 'servers:read',
      query: pageQuerySchema,
      answers: { 200: pageSchema },
    })
    list(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @ValidQuery() query: PageQuery,
    ): Promise<Page<Item>> {
      return this.items.list(kind, caller, server, query.limit, query.cursor);
    }

    @Post()
    @HttpCode(201)
    @Operation({
      summary: `Add ${one}`,
      access: 'servers:write',
      describedBody: itemSchema,
      answers: { 201: answerSchema },
    })
    async create(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @RawBody() body: unknown,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object> {
      return answer(reply, await this.items.create(kind, caller, server, body));
    }

    @Get(item)
    @Operation({ summary: `Read ${one}`, access: 'servers:read', answers: { 200: itemSchema } })
    async get(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @Param(kind.key) id: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item> {
      const found = await this.items.get(kind, caller, server, id);
      reply.header('etag', etagOf(found));
      return found;
    }

    @Put(item)
    @Operation({
      summary: `Replace ${one}, or add it`,
      access: 'servers:write',
      describedBody: itemSchema,
      answers: { 200: answerSchema, 201: answerSchema },
    })
    async put(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @Param(kind.key) id: string,
      @RawBody() body: unknown,
      @Headers('if-match') ifMatch: string | undefined,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object> {
      const changed = await this.items.put(kind, caller, server, id, body, ifMatch);
      reply.code(changed.created ? 201 : 200);
      return answer(reply, changed);
    }

    @Patch(item)
    @Operation({
      summary: `Replace single fields of ${one}; null removes one`,
      access: 'servers:write',
      body: itemPatchSchema,
      answers: { 200: answerSchema },
    })
    async patch(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @Param(kind.key) id: string,
      @ValidBody() body: z.infer<typeof itemPatchSchema>,
      @Headers('if-match') ifMatch: string | undefined,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object> {
      return answer(reply, await this.items.patch(kind, caller, server, id, body, ifMatch));
    }

    @Delete(item)
    @HttpCode(204)
    @Operation({ summary: `Remove ${one}`, access: 'servers:write', answers: { 204: null } })
    delete(
      @Ctx() caller: TenantCaller,
      @Param('server') server: string,
      @Param(kind.key) id: string,
      @Headers('if-match') ifMatch: string | undefined,
    ): Promise<void> {
      return this.items.delete(kind, caller, server, id, ifMatch);
    }
  }
  return ItemsController;
}
