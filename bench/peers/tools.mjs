// The tools that every peer serves: echo, progress, and dummies up to 21.
import { z } from 'zod';

export const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Each progress event in its own turn of the loop, as in life. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

export const arg = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : process.argv[index + 1];
};

const message = { msg: z.string() };
const count = { n: z.number().int() };
const record = {
  id: z.string().describe('The identifier of the record.'),
  limit: z.number().int().min(1).max(100).optional(),
  verbose: z.boolean().optional(),
};

/**
 * `[{name, description, shape, run(args, report)}]`; `report(done, total)` sends one progress event. Shapes are made
 * once and shared by every server instance, the cheapest way to use these libraries.
 */
export const TOOLS = [
  { name: 'echo', description: 'Echo a message back.', shape: message, run: ({ msg }) => text(msg) },
  {
    name: 'progress',
    description: 'Report progress n times.',
    shape: count,
    run: async ({ n }, report) => {
      for (let done = 1; done <= n; done += 1) {
        await report(done, n);
        await turn();
      }
      return text('done');
    },
  },
  ...Array.from({ length: 19 }, (_, index) => ({
    name: `tool_${String(index + 1).padStart(2, '0')}`,
    description: `Dummy tool number ${index + 1}: looks something up in the imaginary catalogue and returns it.`,
    shape: record,
    run: ({ id }) => text(id),
  })),
];

export { z };
