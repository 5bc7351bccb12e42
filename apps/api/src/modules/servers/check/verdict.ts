import type { PointedMessage } from '@gantry/contracts';
import { pointer } from '../../../common/http/json-faults.js';

/** Collects what is wrong and what is odd, each with its place. */
export class Findings {
  readonly faults: PointedMessage[] = [];
  readonly warnings: PointedMessage[] = [];

  fault(path: readonly PropertyKey[], message: string): void {
    this.faults.push({ path: pointer(...path), message });
  }

  warn(path: readonly PropertyKey[], message: string): void {
    this.warnings.push({ path: pointer(...path), message });
  }
}
