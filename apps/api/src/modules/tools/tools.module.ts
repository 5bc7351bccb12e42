import {
  promptAnswerSchema,
  promptPageSchema,
  resourceAnswerSchema,
  resourcePageSchema,
  resourceTemplateAnswerSchema,
  resourceTemplatePageSchema,
  toolAnswerSchema,
  toolPageSchema,
} from '@gantry/contracts';
import { Module } from '@nestjs/common';
import { itemKinds } from '../servers/item-kinds.js';
import { ServersModule } from '../servers/servers.module.js';
import { itemsController } from './items.controller.js';
import { ItemsService } from './items.service.js';

/** What a server offers, one by one. */
@Module({
  imports: [ServersModule],
  controllers: [
    itemsController({
      kind: itemKinds.tools,
      one: 'a tool',
      pageSchema: toolPageSchema,
      answerSchema: toolAnswerSchema,
    }),
    itemsController({
      kind: itemKinds.prompts,
      one: 'a prompt',
      pageSchema: promptPageSchema,
      answerSchema: promptAnswerSchema,
    }),
    itemsController({
      kind: itemKinds.resources,
      one: 'a resource',
      pageSchema: resourcePageSchema,
      answerSchema: resourceAnswerSchema,
    }),
    itemsController({
      kind: itemKinds.resourceTemplates,
      one: 'a resource template',
      pageSchema: resourceTemplatePageSchema,
      answerSchema: resourceTemplateAnswerSchema,
    }),
  ],
  providers: [ItemsService],
})
export class ToolsModule {}
