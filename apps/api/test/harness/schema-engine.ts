import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const SCHEMA_DIR = fileURLToPath(new URL('../../../../prisma/schema', import.meta.url));
const TYPE_CHAR = 18;
const TYPE_BPCHAR = 1042;

interface Engine {
  diff(request: object): Promise<{ exitCode: number; stdout: string | null }>;
}

/**
 * What SQL would bring a database to `prisma/schema`, by Prisma's own schema engine as WASM (the native one is a
 * download). Empty when they agree.
 */
export async function schemaDrift(databaseUrl: string): Promise<string> {
  const names = (await readdir(SCHEMA_DIR)).filter((name) => name.endsWith('.prisma')).sort();
  const files = await Promise.all(
    names.map(async (path) => ({ path, content: await readFile(`${SCHEMA_DIR}/${path}`, 'utf8') })),
  );
  const engine = await openEngine(databaseUrl, files);
  const result = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: '.' },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.exitCode === 0 ? '' : (result.stdout ?? 'they differ');
}

async function openEngine(databaseUrl: string, files: { path: string; content: string }[]): Promise<Engine> {
  bindings ??= loadBindings();
  const { SchemaEngine } = await bindings;
  const factory = {
    provider: 'postgres' as const,
    adapterName: '@prisma/adapter-pg' as const,
    connect: () => connect(databaseUrl),
    connectToShadowDb: () => Promise.reject(new Error('no shadow database is needed')),
  };
  const datamodels = files.map(({ path, content }) => [path, content]);
  return SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

interface Assembly {
  instantiate(wasm: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
}

// The DOM's types describe it, Node's do not.
const assembly = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly;

// Once: the bindings keep views of the memory of the instance that they were given first.
let bindings: ReturnType<typeof loadBindings> | undefined;

async function loadBindings() {
  const url = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const loaded = await import(url);
  const wasm = await readFile(fileURLToPath(url).replace(/\.js$/, '.wasm'));
  const { instance } = await assembly.instantiate(wasm, { './schema_engine_bg.js': loaded });
  loaded.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) } });
  return loaded;
}

interface Result {
  fields?: { name: string; dataTypeID: number }[];
  rows?: unknown[][];
}

/**
 * Two things of the catalogue that the engine does not read: columns of type "char", which the adapter refuses (it is
 * told they are bpchar), and NOT NULL constraints, which Postgres 18 lists beside the others.
 */
async function connect(connectionString: string) {
  const adapter = await new PrismaPg({ connectionString, max: 2 }).connect();
  const inner = adapter as unknown as { performIO(query: unknown): Promise<Result> };
  const performIO = inner.performIO.bind(adapter);
  inner.performIO = async (query) => {
    const result = await performIO(query);
    const kind = result.fields?.findIndex((field) => field.name === 'constraint_type') ?? -1;
    if (kind >= 0) result.rows = result.rows?.filter((row) => row[kind] !== 'n');
    for (const field of result.fields ?? []) if (field.dataTypeID === TYPE_CHAR) field.dataTypeID = TYPE_BPCHAR;
    return result;
  };
  return adapter;
}
