/** A client in the run: it holds one session and calls tools in it, one after the other. */
export interface ChaosClient {
  /** One call that reports its progress. */
  call(): Promise<void>;
  /** The highest number it was told on the standalone stream. */
  readonly heard: number;
  /** Asks for the list of tools, which only a living session can; throws what it was answered. */
  probe(): Promise<void>;
  end(): Promise<void>;
}

export const TICKS = 15;

/** Reports its progress some times. */
export const ticks = {
  name: 'ticks',
  inputSchema: { type: 'object', properties: {} },
  code: {
    source: `export default async (_args, ctx) => {
      for (let done = 1; done <= ${TICKS}; done += 1) { ctx.progress(done, ${TICKS}); await ctx.sleep(40); }
      return "done";
    }`,
  },
};

/** Says that the session is gone, in whichever words a client has for it. */
export function saysSessionLost(error: unknown): boolean {
  return /\b404\b|Session not found/.test(String((error as Error)?.message ?? error));
}
