import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { AppConfig } from '../../../config/app-config.js';
import { EgressGuard } from '../../../infra/egress/index.js';
import { APP_CONFIG, LOGGER, type Log } from '../../../infra/tokens.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { DocumentChecker } from '../../servers/document-checker.js';
import { ServersModule } from '../../servers/servers.module.js';
import { CodeRunner, type CodeRunnerOptions } from './code/index.js';
import { GuestFetch, HttpRunner } from './http/index.js';
import { jobSandboxOptions } from './job-sandboxes.js';
import { RunnerChecks } from './runner-checks.js';
import { protocolError, Runners } from './runners.js';
import { TemplateRunner } from './template/index.js';
import { TenantSecrets } from './tenant-secrets.js';

const SANDBOX_PROCESSES = 1;
const SANDBOX_THREADS = 4;
const SANDBOX_GUESTS_PER_THREAD = 24;

const JOB_CODE = Symbol('sandboxes of jobs');

/** Every kind of tool, on one guard to the outside and one pool of sandboxes. */
@Module({
  imports: [SecretsModule, ServersModule],
  providers: [
    {
      provide: EgressGuard,
      inject: [APP_CONFIG],
      useFactory(config: AppConfig) {
        const own = ownEndpoints(config);
        return new EgressGuard({ allow: config.egressAllow, ownEndpoints: () => own });
      },
    },
    {
      provide: TenantSecrets,
      inject: [SecretsService, LOGGER],
      useFactory: (secrets: SecretsService, log: Log) =>
        new TenantSecrets(secrets, (err) => log.warn({ err }, 'the use of a secret was not noted')),
    },
    {
      provide: HttpRunner,
      inject: [APP_CONFIG, EgressGuard, TenantSecrets],
      useFactory: (config: AppConfig, guard: EgressGuard, secrets: TenantSecrets) =>
        new HttpRunner({ guard, secrets, maxResponseBytes: config.limits.resultBytes, userAgent: agentOf(config) }),
    },
    {
      provide: GuestFetch,
      inject: [APP_CONFIG, EgressGuard, TenantSecrets],
      useFactory: (config: AppConfig, guard: EgressGuard, secrets: TenantSecrets) =>
        new GuestFetch({ guard, secrets, userAgent: agentOf(config) }),
    },
    { provide: CodeRunner, inject: [LOGGER], useFactory: (log: Log) => sandboxes(log) },
    {
      provide: JOB_CODE,
      inject: [APP_CONFIG, LOGGER],
      useFactory: (config: AppConfig, log: Log) => sandboxes(log, jobSandboxOptions(config.limits.jobSlots)),
    },
    TemplateRunner,
    {
      provide: Runners,
      inject: [TemplateRunner, HttpRunner, CodeRunner, JOB_CODE, GuestFetch],
      useFactory: (
        template: TemplateRunner,
        http: HttpRunner,
        code: CodeRunner,
        jobCode: CodeRunner,
        guestFetch: GuestFetch,
      ) => new Runners({ template, http, code, jobCode, guestFetch }),
    },
    {
      provide: RunnerChecks,
      inject: [TemplateRunner, HttpRunner, CodeRunner],
      useFactory: (template: TemplateRunner, http: HttpRunner, code: CodeRunner) =>
        new RunnerChecks(template, http, code),
    },
  ],
  exports: [Runners, CodeRunner],
})
export class RunnersModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(CodeRunner) private readonly code: CodeRunner,
    @Inject(JOB_CODE) private readonly jobCode: CodeRunner,
    @Inject(EgressGuard) private readonly guard: EgressGuard,
    @Inject(DocumentChecker) private readonly documents: DocumentChecker,
    @Inject(RunnerChecks) private readonly checks: RunnerChecks,
  ) {}

  onModuleInit(): void {
    this.documents.useRunnerChecker(this.checks);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.code.close(), this.jobCode.close()]);
    await this.guard.close();
  }
}

/** Its processes start with the first call, or when it is told to start. */
function sandboxes(log: Log, more: Partial<CodeRunnerOptions> = {}): CodeRunner {
  return new CodeRunner({
    protocolError,
    processes: SANDBOX_PROCESSES,
    threads: SANDBOX_THREADS,
    guestsPerThread: SANDBOX_GUESTS_PER_THREAD,
    onProcessLost: (detail) => log.warn(detail, 'a sandbox process ended and is replaced'),
    ...more,
  });
}

function agentOf(config: AppConfig): string {
  return `gantry/${config.version}`;
}

/** Ports of the platform itself, which no tool may reach under any spelling. */
function ownEndpoints(config: AppConfig): { port: number; host?: string }[] {
  const local = [config.port, config.adminPort, config.metricsPort].filter((port) => port !== undefined && port !== 0);
  const named = [config.publicUrl, config.adminUrl, config.databaseUrl].map(endpointOf);
  return [...local.map((port) => ({ port: port as number })), ...named.filter((endpoint) => endpoint !== undefined)];
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 };

function endpointOf(text: string): { port: number; host?: string } | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  const number = Number(port) || DEFAULT_PORTS[protocol];
  return number === undefined ? undefined : { port: number, host: hostname };
}
