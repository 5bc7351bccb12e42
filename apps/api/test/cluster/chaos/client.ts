/** A client in the run: it holds one session and calls tools in it, one after the other. */
export interface ChaosClient {
  /** One call of a tool that reports its progress. */
  call(tool: string): Promise<void>;
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

/** The same as a job that may be repeated. */
export const jobTicks = { ...ticks, name: 'job_ticks', execution: 'job', annotations: { readOnlyHint: true } };

/** Asks one question, and ends with the answer. */
export const asks = {
  name: 'asks',
  inputSchema: { type: 'object' },
  execution: 'job',
  annotations: { readOnlyHint: true },
  code: {
    source: `export default async (_args, ctx) => {
      const requestedSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
      const { content } = await ctx.elicit("word", { message: "Which?", requestedSchema });
      return "heard " + content.word;
    }`,
  },
};

/** Books one effect under the name it is given; with `repeatable` it may be run again. */
export const charge = (backend: string, repeatable: boolean) => ({
  name: repeatable ? 'charge_again' : 'charge_once',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  execution: 'job',
  ...(repeatable && { annotations: { idempotentHint: true } }),
  code: {
    source: `export default async (args, ctx) => {
      await ctx.sleep(100);
      await ctx.fetch("${backend}/${repeatable ? 'again' : 'once'}/" + args.at, { method: "POST" });
      await ctx.sleep(100);
      return "charged";
    }`,
  },
});

/** Says that the session is gone, in whichever words a client has for it. */
export function saysSessionLost(error: unknown): boolean {
  return /\b404\b|Session not found/.test(String((error as Error)?.message ?? error));
}
