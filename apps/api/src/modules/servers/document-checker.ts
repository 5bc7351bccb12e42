import type { PointedMessage, ServerDocument } from '@gantry/contracts';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { pointer } from '../../common/http/json-faults.js';
import type { RunnerChecker } from './check/runner-checker.js';
import { SchemaChecker } from './check/schema-checker.js';
import { type Judgement, judgeDocument, judgeItem } from './document-check.js';
import type { ItemDocuments, ItemKind, ItemList } from './item-kinds.js';

export interface Checked<T> {
  readonly value: T;
  readonly warnings: readonly PointedMessage[];
}

/** Judges documents in full: shape and rules, then schemas and sources, all faults in one answer. */
@Injectable()
export class DocumentChecker {
  private readonly schemas = new SchemaChecker();
  private runners: RunnerChecker | undefined;

  /** Takes whoever judges runners; the module that runs tools knows them, and this one may not know that module. */
  useRunnerChecker(checker: RunnerChecker): void {
    this.runners = checker;
  }

  /** Throws `invalid_document` with every fault. */
  document(raw: unknown, egressAllow: readonly string[]): Promise<Checked<ServerDocument>> {
    return this.finish(judgeDocument(raw), egressAllow);
  }

  /** Throws `invalid_document` with every fault; places are those in the item itself. */
  item<List extends ItemList>(
    kind: ItemKind<List>,
    raw: unknown,
    egressAllow: readonly string[],
  ): Promise<Checked<ItemDocuments[List]>> {
    return this.finish(judgeItem(kind, raw), egressAllow);
  }

  private async finish<T>(judgement: Judgement<T>, egressAllow: readonly string[]): Promise<Checked<T>> {
    const faults = [...judgement.faults, ...(await this.schemas.check(judgement.schemas))];
    const warnings = [...judgement.warnings];
    for (const { path, runner, inputSchema, argumentsAre } of judgement.runners) {
      const verdict = await this.runners?.check(runner, inputSchema, egressAllow, argumentsAre);
      const placed = (note: PointedMessage) => ({ ...note, path: pointer(...path) + note.path });
      faults.push(...(verdict?.faults ?? []).map(placed));
      warnings.push(...(verdict?.warnings ?? []).map(placed));
    }
    if (faults.length > 0 || judgement.value === undefined) {
      const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
      throw new AppError('invalid_document', `${count}; nothing was stored.`, { errors: faults });
    }
    return { value: judgement.value, warnings };
  }
}
