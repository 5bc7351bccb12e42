/** The same 21 tools that the floor lists, all of the cheapest kind. */
export function benchTools() {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The identifier of the record.' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      verbose: { type: 'boolean' },
    },
    required: ['id'],
  };
  const dummies = Array.from({ length: 19 }, (_, index) => ({
    name: `tool_${String(index + 1).padStart(2, '0')}`,
    description: `Dummy tool number ${index + 1}: looks something up in the imaginary catalogue and returns it.`,
    inputSchema: schema,
    template: { text: 'Record {id}' },
  }));
  const echo = {
    name: 'echo',
    description: 'Echo a message back.',
    inputSchema: { type: 'object', properties: { msg: { type: 'string' } }, required: ['msg'] },
    template: { text: '{msg}' },
  };
  const progress = {
    name: 'progress',
    description: 'Report progress n times.',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    template: { text: 'done' },
  };
  return [echo, progress, ...dummies];
}
