/** Undefined when the port can be bound, else the system's error code; see processes.mjs. */
export function portFault(port: number, host: string): Promise<string | undefined>;
/** A loopback port that nobody is given while its server is away; see processes.mjs. */
export function steadyPort(): Promise<number>;
