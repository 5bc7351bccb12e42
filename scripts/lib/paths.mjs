import { fileURLToPath } from 'node:url';

/** The root of the repository, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** A failure that its message explains fully: printed as one line, without a stack. */
export class Stop extends Error {}

/** Runs a command's main function; a `Stop` ends the process with its one line, anything else with its stack. */
export function run(main) {
  main().catch((error) => {
    console.error(error instanceof Stop ? `gantry: ${error.message}` : error);
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  });
}
