// @rekog/mcp-nest 2.x on Nest and Fastify: --mode stateless (serves 2026-07-28) | sessions (2025, JSON answers).
// Decorators are applied by hand, so that nothing has to be built.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MCP_STRATEGY, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { arg, TOOLS, z } from './tools.mjs';

class Tools {}
for (const { name, description, shape, run } of TOOLS) {
  Tools.prototype[name] = (args, context) =>
    run(args, (progress, total) => context.reportProgress({ progress, total }));
  const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name);
  Tool({ name, description, parameters: z.object(shape) })(Tools.prototype, name, descriptor);
  Object.defineProperty(Tools.prototype, name, descriptor);
  Payload()(Tools.prototype, name, 0);
  Ctx()(Tools.prototype, name, 1);
  Reflect.defineMetadata('design:paramtypes', [Object, Object], Tools.prototype, name);
}
McpController()(Tools);

const transport = new StreamableHttpTransport({ statefulMode: arg('mode') === 'sessions', enableJsonResponse: true });
const strategy = new McpStrategy({ name: 'nest', version: '0.0.0', transports: [transport], logging: false });
class AppModule {}
Module({ controllers: [Tools], providers: [{ provide: MCP_STRATEGY, useValue: strategy }] })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] });
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(Number(arg('port')), '127.0.0.1');
