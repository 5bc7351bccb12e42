import { code } from './documents.js';

const source = (body: string) => ({ source: `export default async (args, ctx) => { ${body} }` });
const says = (text: string) => [{ role: 'user', content: { type: 'text', text } }];
const described = { description: 'Shown to whoever chooses.' };

/** Three questions at once: a form, a completion and the client's roots. */
const ASK_ALL = `
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const [said, written, { roots }] = await Promise.all([
    ctx.elicit("who", { message: "Who?", requestedSchema: schema }),
    ctx.sample("text", { messages: [{ role: "user", content: { type: "text", text: "Say hi" } }], maxTokens: 9 }),
    ctx.roots("where"),
  ]);
  const name = said.action === "accept" ? said.content.name : said.action;
`;

/** A server with something of every kind beside tools, in pages of two; what is read over HTTP is at `backend`. */
export function features(backend: string): object {
  return {
    name: 'Features',
    settings: { pageSize: 2 },
    tools: [
      code('ask_all', `${ASK_ALL} return [name, written.content.text, roots.length].join(" ");`),
      code(
        'ask_twice',
        `
        const paid = await ctx.once("paid", async () => { await ctx.fetch("${backend}/paid/" + args.at); return 1; });
        const schema = { type: "object", properties: { name: { type: "string" } } };
        const first = await ctx.elicit("first", { message: "First?", requestedSchema: schema });
        const last = await ctx.elicit("last", { message: "Last, " + first.content.name + "?", requestedSchema: schema });
        return first.content.name + " " + last.content.name + " " + paid;
      `,
      ),
      code('touch', 'ctx.resourceUpdated(args.uri); return "touched";'),
    ],
    prompts: [
      {
        name: 'greet',
        ...described,
        arguments: [{ name: 'who', required: true, complete: ['Ada', 'Alan', 'Grace'] }, { name: 'why' }],
        messages: says('Greet {who}. {why}'),
      },
      { name: 'two words', ...described, messages: says('A name with a space.') },
      {
        name: 'coded',
        ...described,
        arguments: [{ name: 'n' }],
        code: source('return { messages: [{ role: "user", content: { type: "text", text: "n is " + args.n } }] };'),
      },
      {
        name: 'asks',
        ...described,
        code: source(`${ASK_ALL} return { messages: [{ role: "user", content: { type: "text", text: name } }] };`),
      },
      { name: 'breaks', ...described, code: source('throw new Error("no ink");') },
    ],
    resources: [
      { uri: 'docs://readme', name: 'Readme', ...described, mimeType: 'text/markdown', text: '# Hi {you}' },
      { uri: 'kb://設計/1', name: 'Design', ...described, text: 'drawn' },
      { uri: 'docs://dot', name: 'Dot', ...described, mimeType: 'image/gif', blob: 'R0lGODlhAQABAAAAACw=' },
      { uri: 'docs://feed', name: 'Feed', ...described, http: { url: `${backend}/feed` } },
      { uri: 'docs://gone', name: 'Gone', ...described, http: { url: `${backend}/status/410` } },
    ],
    resourceTemplates: [
      {
        uriTemplate: 'orders://{id}',
        name: 'Order',
        ...described,
        complete: { id: ['1001', '1002', '2001'] },
        text: 'Order {id}',
      },
      {
        uriTemplate: 'files://{+path}',
        name: 'File',
        ...described,
        http: { url: `${backend}/files`, query: { path: '{path}' } },
      },
      {
        uriTemplate: 'sums://{a}/{b}',
        name: 'Sum',
        ...described,
        code: source('return String(Number(args.a) + Number(args.b));'),
      },
      {
        uriTemplate: 'asks://{what}',
        name: 'Asks',
        ...described,
        code: source(`${ASK_ALL} return args.what + " for " + name;`),
      },
    ],
  };
}
