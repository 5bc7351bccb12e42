import { type PointedMessage, type ServerDocument, serverDocumentSchema } from '@gantry/contracts';
import type { z } from 'zod';
import { faultsOf, unstorableFaults } from '../../common/http/json-faults.js';
import type { Deferred } from './check/deferred.js';
import { faultDuplicates } from './check/source-check.js';
import { Findings } from './check/verdict.js';
import { type ItemDocuments, type ItemKind, type ItemList, itemKinds } from './item-kinds.js';

const MAX_DEPTH = 64;

/** What is known of a document before its schemas are compiled and its runners judged. */
export interface Judgement<T> extends Deferred {
  /** The document, completed and normalised; undefined when its shape has a fault. */
  readonly value: T | undefined;
  readonly faults: readonly PointedMessage[];
  readonly warnings: readonly PointedMessage[];
}

/** Judges a whole server document in one pass. Pure; every fault has a JSON Pointer into what was sent. */
export function judgeDocument(raw: unknown): Judgement<ServerDocument> {
  return judge(
    raw,
    serverDocumentSchema,
    (document) => ({ ...document, tools: document.tools.map(itemKinds.tools.normalise) }),
    (findings, deferred) => {
      for (const { list, key, canonical, words, check } of Object.values(itemKinds)) {
        const items = (raw as Record<string, unknown> | null | undefined)?.[list];
        if (!Array.isArray(items)) continue;
        const which = key === 'name' ? 'name' : 'URI';
        faultDuplicates(
          items,
          key,
          [list],
          findings,
          (id, earlier) => `"${id}" is the ${which} of ${words} ${earlier} already`,
          canonical,
        );
        for (const [index, item] of items.entries()) check(item, [list, index], findings, deferred);
      }
    },
  );
}

/** Judges one item of a list by itself. */
export function judgeItem<List extends ItemList>(
  { schema, normalise, check }: ItemKind<List>,
  raw: unknown,
): Judgement<ItemDocuments[List]> {
  return judge(raw, schema, normalise, (findings, deferred) => check(raw, [], findings, deferred));
}

function judge<T>(
  raw: unknown,
  schema: z.ZodType<T>,
  normalise: (value: T) => T,
  look: (findings: Findings, deferred: Deferred) => void,
): Judgement<T> {
  const unstorable = unstorableFaults(raw, MAX_DEPTH);
  const deferred: Deferred = { schemas: [], runners: [] };
  // Too deep or unstorable: nothing that walks it should.
  if (unstorable.length > 0) return { value: undefined, faults: unstorable, warnings: [], ...deferred };
  const findings = new Findings();
  const parsed = schema.safeParse(raw);
  look(findings, deferred);
  const shape = parsed.success ? [] : faultsOf(parsed.error);
  return {
    value: parsed.success ? normalise(parsed.data) : undefined,
    faults: [...shape, ...findings.faults],
    warnings: findings.warnings,
    ...deferred,
  };
}
