import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.js';

/** Turns whatever a controller throws into a problem answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** @param meaningOf what an error of something that the application stands on means to a caller */
  constructor(private readonly meaningOf: (thrown: unknown) => unknown) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.meaningOf(thrown));
  }
}
