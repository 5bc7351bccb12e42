import { code } from './documents.js';

const at = { type: 'object', properties: { at: { type: 'string' } } } as const;

/** A server whose tools run as jobs, on the backend at this URL. */
export function jobKinds(backend: string): object {
  const held = `await (await ctx.fetch("${backend}/held/" + args.at)).text();`;
  const charge = `await ctx.fetch("${backend}/charge/" + args.at, { method: "POST" });`;
  return {
    name: 'Jobs',
    tools: [
      code(
        'ticks',
        'for (let i = 1; i <= 5; i += 1) { ctx.progress(i, 5); await ctx.sleep(args.ms ?? 0); } return "ticked";',
        {
          execution: 'job',
        },
      ),
      code('at_once', 'return "done";', { execution: 'job' }),
      code('held', `ctx.progress(1, 2); ${held} ctx.progress(2, 2); return "let go";`, {
        execution: 'job',
        inputSchema: at,
        annotations: { readOnlyHint: true },
      }),
      code('charge', `ctx.progress(1, 2); ${held} ${charge} ctx.progress(2, 2); return "charged";`, {
        execution: 'job',
        inputSchema: at,
      }),
      code(
        'ask',
        `const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
         const { content } = await ctx.elicit("name", { message: "Who?", requestedSchema: schema }); return "Hello " + content.name;`,
        { execution: 'job' },
      ),
      code('fails', 'throw new Error("no luck with " + args.at);', { execution: 'job', inputSchema: at }),
      code('inline', 'return "inline";'),
    ],
  };
}
