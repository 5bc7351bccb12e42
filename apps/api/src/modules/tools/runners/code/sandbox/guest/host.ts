/** The host functions given to the library; each takes and gives only strings, numbers, booleans and bytes. */
export interface GuestHost {
  note(kind: string, json: string): void;
  request(call: number, json: string): void;
  sleep(call: number, ms: number): void;
  /** Notes a question `{method, params?}` to be asked when the code can do nothing more; words say why it cannot be. */
  ask(key: string, json: string): string | undefined;
  /** What is wrong with a key, and with a question if there is one, in words. */
  fault(key: string, json?: string): string | undefined;
  /** Keeps a result for later rounds; words say why it cannot be. */
  keep(key: string, json: string): string | undefined;
  end(json: string, resultJson: string | undefined, stateJson: string | undefined): void;
  random(): number;
  utf8(text: string): Uint8Array;
  text(bytes: Uint8Array): string;
  base64(bytes: Uint8Array): string;
  bytes(base64: string): Uint8Array;
}

/** What the host calls: start the tool, settle a host call, abort the signal. */
export type GuestEntry = [
  start: (module: Promise<{ default?: unknown }>, argumentsJson: string, contextJson: string) => void,
  settle: (call: number, ok: boolean, json: string) => void,
  abort: (name: string, message: string) => void,
];
