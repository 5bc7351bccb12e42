import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PointedMessage } from '@gantry/contracts';
import { checkOutputSchema, checkToolSchema } from '@gantry/mcp-core';
import { pointer } from '../../../common/http/json-faults.js';
import type { SchemaToCheck } from './deferred.js';

const INLINE_MAX = 4;
const INLINE_BYTES_MAX = 65_536;
const DEADLINE_MS = 20_000;
const WAITING_MAX = 16;

/** Runs in the worker: this module's import, by URL, and one message a batch. */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData).then(({ checkOutputSchema, checkToolSchema }) => {
  parentPort.on('message', (batch) => {
    parentPort.postMessage(batch.map(({ schema, role }) => (role === 'input' ? checkToolSchema : checkOutputSchema)(schema)));
  });
});`;

interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Compiles the schemas of a document and tells their faults. A few small ones are compiled here; more of them in a
 * worker thread with a deadline, so that no document holds the main loop.
 */
export class SchemaChecker {
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly deadlineMs = DEADLINE_MS,
    private readonly inlineMax = INLINE_MAX,
  ) {}

  async check(schemas: readonly SchemaToCheck[]): Promise<PointedMessage[]> {
    if (schemas.length === 0) return [];
    const perSchema = this.isSmall(schemas) ? schemas.map(checkHere) : await this.inTurn(schemas);
    if (perSchema === undefined) {
      const path = pointer(...(schemas[0]?.path ?? []).slice(0, -2));
      return [{ path, message: `the schemas took longer than ${this.deadlineMs} ms to compile: make them simpler` }];
    }
    return perSchema.flatMap((faults, index) => {
      const base = pointer(...(schemas[index] as SchemaToCheck).path);
      return oneAPlace(faults).map(({ path, message }) => ({ path: base + path, message }));
    });
  }

  private isSmall(schemas: readonly SchemaToCheck[]): boolean {
    if (schemas.length > this.inlineMax) return false;
    let bytes = 0;
    for (const { schema } of schemas) bytes += JSON.stringify(schema)?.length ?? 0;
    return bytes <= INLINE_BYTES_MAX;
  }

  /** One worker at a time: publishing shall not take the cores that calls need. */
  private inTurn(schemas: readonly SchemaToCheck[]): Promise<SchemaFault[][] | undefined> {
    if (this.waiting >= WAITING_MAX) return Promise.resolve(undefined);
    this.waiting += 1;
    const run = this.tail.then(() => checkInWorker(schemas, this.deadlineMs));
    this.tail = run.catch(() => undefined);
    return run.finally(() => {
      this.waiting -= 1;
    });
  }
}

/** A value that fits none of a keyword's alternatives is reported once an alternative: the first says it. */
function oneAPlace(faults: readonly SchemaFault[]): SchemaFault[] {
  const places = new Set<string>();
  return faults.filter(({ path }) => !places.has(path) && places.add(path));
}

function checkHere({ schema, role }: SchemaToCheck): SchemaFault[] {
  return role === 'input' ? checkToolSchema(schema) : checkOutputSchema(schema);
}

/** Undefined when the deadline passed first. */
function checkInWorker(schemas: readonly SchemaToCheck[], deadlineMs: number): Promise<SchemaFault[][] | undefined> {
  const core = pathToFileURL(createRequire(import.meta.url).resolve('@gantry/mcp-core')).href;
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: core, env: {}, execArgv: [] });
  return new Promise<SchemaFault[][] | undefined>((resolve, reject) => {
    const deadline = setTimeout(() => resolve(undefined), deadlineMs);
    worker.once('message', (answer: SchemaFault[][]) => {
      clearTimeout(deadline);
      resolve(answer);
    });
    worker.once('error', (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    worker.postMessage(schemas.map(({ schema, role }) => ({ schema, role })));
  }).finally(() => worker.terminate());
}
