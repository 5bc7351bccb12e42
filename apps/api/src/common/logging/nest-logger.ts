import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own messages on our logger; its boot chatter is debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  fatal(message: unknown, context?: string): void {
    this.logger.error({ context }, String(message));
  }
}
