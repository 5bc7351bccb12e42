/** Something wrong, or odd, in a runner's part of a server document. */
export interface CompileNote {
  /** JSON Pointer from the runner's own object, e.g. `/headers/X-Team`; '' is the object itself. */
  readonly path: string;
  readonly message: string;
}

/** An argument that a runner's part names, and where. */
export interface SlotUse {
  readonly path: string;
  readonly name: string;
}

/** A runner's part of a document made ready to run, or everything that keeps it from running. */
export type Compiled<Plan> =
  | {
      readonly ok: true;
      readonly plan: Plan;
      readonly warnings: readonly CompileNote[];
      readonly uses: readonly SlotUse[];
    }
  | { readonly ok: false; readonly faults: readonly CompileNote[] };

/** Collects faults and warnings while a document is compiled. */
export class Notes {
  readonly faults: CompileNote[] = [];
  readonly warnings: CompileNote[] = [];
  readonly uses: SlotUse[] = [];

  fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  warn(path: string, message: string): void {
    this.warnings.push({ path, message });
  }

  use(path: string, name: string): void {
    this.uses.push({ path, name });
  }

  result<Plan>(plan: () => Plan): Compiled<Plan> {
    if (this.faults.length > 0) return { ok: false, faults: this.faults };
    return { ok: true, plan: plan(), warnings: this.warnings, uses: this.uses };
  }
}
