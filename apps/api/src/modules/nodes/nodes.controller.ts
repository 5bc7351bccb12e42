import {
  type GantryNode,
  nodePageSchema,
  nodeSchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
} from '@gantry/contracts';
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { type Caller, Ctx } from '../../common/http/request-context.js';
import { NodesService } from './nodes.service.js';

@Controller('api/v1/nodes')
export class NodesController {
  constructor(@Inject(NodesService) private readonly nodes: NodesService) {}

  @Get()
  @Operation({
    summary: 'List the nodes that serve, and those that have gone within ten minutes',
    access: 'nodes:read',
    query: pageQuerySchema,
    answers: { 200: nodePageSchema },
  })
  list(@ValidQuery() query: PageQuery): Promise<Page<GantryNode>> {
    return this.nodes.list(query.limit, query.cursor);
  }

  @Post(':node/drain')
  @HttpCode(200)
  @Operation({
    summary: 'Empty a node: it is not ready any more and sends away whom another node can serve',
    description: 'Answers when the node has confirmed. Requests that still reach it are served.',
    access: 'nodes:drain',
    answers: { 200: nodeSchema },
  })
  drain(@Ctx() caller: Caller, @Param('node') node: string): Promise<GantryNode> {
    return this.nodes.drain(caller, node);
  }

  @Post(':node/undrain')
  @HttpCode(200)
  @Operation({
    summary: 'Let a node that was emptied serve again',
    access: 'nodes:drain',
    answers: { 200: nodeSchema },
  })
  undrain(@Ctx() caller: Caller, @Param('node') node: string): Promise<GantryNode> {
    return this.nodes.undrain(caller, node);
  }
}
