const object = { type: 'object' } as const;

function code(name: string, body: string, more: object = {}): object {
  const source = `export default async (args, ctx) => { ${body} }`;
  return { name, description: name, inputSchema: object, code: { source }, ...more };
}

function http(name: string, url: string, more: object = {}, runner: object = {}): object {
  return { name, description: name, inputSchema: object, http: { method: 'GET', url, ...runner }, ...more };
}

/** A server with a tool of every kind, on the backend at this URL. */
export function everyKind(backend: string, settings: object = {}): object {
  const held = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
  return {
    name: 'Kinds',
    title: 'Every kind',
    version: '2.1.0',
    instructions: 'Try each.',
    settings,
    tools: [
      {
        name: 'policy',
        description: 'a template',
        inputSchema: { type: 'object', properties: { team: { type: 'string' } }, required: ['team'] },
        template: { text: 'Rules of {team}.' },
      },
      http('order', `${backend}/orders/{id}`, {
        inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      }),
      http('held_http', `${backend}/held/{at}`, { inputSchema: held }),
      http('effect', `${backend}/effect`, {}, { method: 'POST' }),
      code('steps', 'for (let i = 1; i <= args.n; i += 1) ctx.progress(i, args.n, "step " + i); return "stepped";'),
      code(
        'held_code',
        `ctx.log("info", "waiting"); await (await ctx.fetch("${backend}/held/" + args.at)).text(); return "let go";`,
      ),
      code(
        'slow_charge',
        `ctx.progress(1, 3); await (await ctx.fetch("${backend}/held/" + args.at)).text(); ctx.progress(2, 3);
         await ctx.fetch("${backend}/charge/" + args.at, { method: "POST" }); ctx.progress(3, 3); return "charged";`,
      ),
      code(
        'talk',
        'for (const level of ["debug", "info", "error"]) ctx.log(level, "said at " + level); return "quiet";',
      ),
      code(
        'counter',
        'if (ctx.state === undefined) return "no state"; ctx.state.n = (ctx.state.n ?? 0) + 1; return String(ctx.state.n);',
        { stateful: true },
      ),
      code('echo', 'return { args };'),
      code('who', 'return { client: ctx.client, principal: ctx.principal };'),
      code('regional', 'return "ran";', {
        inputSchema: {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            limit: { type: 'integer', 'x-mcp-header': 'Limit' },
          },
        },
      }),
    ],
  };
}

/** Names of the tools above, in the document's order. */
export const KINDS = [
  'policy',
  'order',
  'held_http',
  'effect',
  'steps',
  'held_code',
  'slow_charge',
  'talk',
  'counter',
  'echo',
  'who',
  'regional',
];

export { code, http };
