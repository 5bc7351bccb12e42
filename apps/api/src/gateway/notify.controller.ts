import { type NotifyBody, notifyBodySchema } from '@gantry/contracts';
import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ValidBody } from '../common/http/input.js';
import { Operation } from '../common/http/operation.js';
import { Ctx, type TenantCaller } from '../common/http/request-context.js';
import { NotifyService } from './notify.service.js';

/** Lets whoever runs a server tell its clients that something happened. */
@Controller('api/v1/tenants/:tenant/servers/:server/notify')
export class NotifyController {
  constructor(@Inject(NotifyService) private readonly notifications: NotifyService) {}

  @Post()
  @HttpCode(202)
  @Operation({
    summary: 'Tell the clients of a server that a resource or a list changed, or a log message',
    description:
      'Reaches sessions and listen streams on every node. A URI must be one that the published revision has, or that ' +
      'fits one of its templates; a list must be one that it offers.',
    access: 'servers:write',
    body: notifyBodySchema,
    answers: { 202: null },
  })
  notify(@Ctx() caller: TenantCaller, @Param('server') server: string, @ValidBody() body: NotifyBody): Promise<void> {
    return this.notifications.notify(caller, server, body);
  }
}
