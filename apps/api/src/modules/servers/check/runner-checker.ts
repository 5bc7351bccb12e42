import type { PointedMessage, PromptMessageDocument, ToolDocument } from '@gantry/contracts';

/** Something that runs, still to be judged by whoever runs it, with its place in the document. */
export interface RunnerToCheck {
  readonly path: readonly PropertyKey[];
  /** Exactly one of them, of sound shape. */
  readonly runner: Pick<ToolDocument, 'http' | 'code' | 'template'> & {
    readonly messages?: readonly PromptMessageDocument[];
  };
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What a declared argument is called, e.g. "an argument of this prompt"; else it is a property of the input schema. */
  readonly argumentsAre?: string;
}

/** What is wrong or odd with a runner; paths are JSON Pointers from the runner's own object. */
export interface RunnerVerdict {
  readonly faults: readonly PointedMessage[];
  readonly warnings: readonly PointedMessage[];
}

/** Judges runners at publish as they will be judged when they run. Given by the module that runs them. */
export interface RunnerChecker {
  /** @param egressAllow private places that the tenant's tools may reach */
  check(
    runner: RunnerToCheck['runner'],
    inputSchema: RunnerToCheck['inputSchema'],
    egressAllow: readonly string[],
    argumentsAre?: string,
  ): Promise<RunnerVerdict>;
}
