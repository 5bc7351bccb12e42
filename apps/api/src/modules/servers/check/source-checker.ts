/** Where the source of a code tool does not parse; positions count from 1. */
export interface SourceFault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Parses the source of a code tool without running it. Given by whoever runs such tools. */
export interface SourceChecker {
  check(source: string): Promise<SourceFault | undefined>;
}

/** Takes the checker that judges sources from here on; before one is given, sources are judged at their first run. */
export class SourceCheckers {
  private checker: SourceChecker | undefined;

  use(checker: SourceChecker): void {
    this.checker = checker;
  }

  async check(source: string): Promise<SourceFault | undefined> {
    return this.checker?.check(source);
  }
}
