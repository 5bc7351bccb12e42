import type { PointedMessage, ServerDocument, ToolDocument } from '@gantry/contracts';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { pointer } from '../../common/http/json-faults.js';
import { SchemaChecker } from './check/schema-checker.js';
import { type SourceChecker, SourceCheckers } from './check/source-checker.js';
import { type Judgement, judgeDocument, judgeTool } from './document-check.js';

export interface Checked<T> {
  readonly value: T;
  readonly warnings: readonly PointedMessage[];
}

/** Judges documents in full: shape and rules, then schemas and sources, all faults in one answer. */
@Injectable()
export class DocumentChecker {
  private readonly schemas = new SchemaChecker();
  private readonly sources = new SourceCheckers();

  /** Gives the parser for sources of code tools. */
  useSourceChecker(checker: SourceChecker): void {
    this.sources.use(checker);
  }

  /** Throws `invalid_document` with every fault. */
  document(raw: unknown): Promise<Checked<ServerDocument>> {
    return this.finish(judgeDocument(raw));
  }

  /** Throws `invalid_document` with every fault; places are those in the tool itself. */
  tool(raw: unknown): Promise<Checked<ToolDocument>> {
    return this.finish(judgeTool(raw));
  }

  private async finish<T>(judgement: Judgement<T>): Promise<Checked<T>> {
    const faults = [...judgement.faults, ...(await this.schemas.check(judgement.schemas))];
    for (const { path, source } of judgement.sources) {
      const fault = await this.sources.check(source);
      if (fault !== undefined) faults.push({ path: pointer(...path), message: wordsOf(fault) });
    }
    if (faults.length > 0 || judgement.value === undefined) {
      const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
      throw new AppError('invalid_document', `${count}; nothing was stored.`, { errors: faults });
    }
    return { value: judgement.value, warnings: judgement.warnings };
  }
}

function wordsOf({ message, line, column }: { message: string; line?: number; column?: number }): string {
  if (line === undefined) return message;
  return `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`;
}
