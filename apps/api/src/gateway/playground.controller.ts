import { type PlaygroundToken, playgroundTokenSchema } from '@gantry/contracts';
import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { Operation } from '../common/http/operation.js';
import { Ctx, type TenantCaller } from '../common/http/request-context.js';
import { PlaygroundService } from './playground.service.js';

@Controller('api/v1/tenants/:tenant/servers/:server/playground-token')
export class PlaygroundController {
  constructor(@Inject(PlaygroundService) private readonly playground: PlaygroundService) {}

  @Post()
  @HttpCode(201)
  @Operation({
    summary: 'Get a token for the MCP endpoint of one server, good for 15 minutes',
    description:
      'For a client in the browser that acts for the person signed in. It may do what the scope `mcp:call` may, at this ' +
      'server alone and on no route of this API. It cannot be taken back: it ends by itself. API keys get none.',
    access: 'tools:try',
    answers: { 201: playgroundTokenSchema },
  })
  open(@Ctx() caller: TenantCaller, @Param('server') server: string): Promise<PlaygroundToken> {
    return this.playground.open(caller, server);
  }
}
