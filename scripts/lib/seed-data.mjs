// What `npm run seed` makes. Each entry says which screen it is for.

const text = { type: 'string' };
const object = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Servers list, tables and editors: every kind of tool, prompt, resource and template, with and without a description. */
const support = {
  name: 'Support desk',
  title: 'Support desk',
  version: '2.3.0',
  instructions: 'Look up tickets, estimate answers and draft replies in the tone of the house.',
  tools: [
    {
      name: 'draft_reply',
      title: 'Draft a reply',
      description: 'A reply to a customer in the tone of the house.',
      annotations: { readOnlyHint: true },
      inputSchema: object({ customer: text, topic: text }),
      template: {
        text: 'Dear {customer},\n\nthank you for writing to us about {topic}. We will be back within a day.',
      },
    },
    {
      name: 'estimate_wait',
      title: 'Estimate the wait',
      description: 'How long a ticket will wait, from its place in the queue.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: object({ position: { type: 'integer', minimum: 1 } }),
      outputSchema: object({ minutes: { type: 'number' }, text }),
      code: {
        source: `export default async ({ position }, ctx) => {
  for (let step = 1; step <= position && step <= 5; step += 1) {
    await ctx.sleep(20);
    ctx.progress(step, Math.min(position, 5), \`Looked at ticket \${step}\`);
  }
  const minutes = position * 7;
  return { minutes, text: \`About \${minutes} minutes\` };
};
`,
      },
    },
    {
      name: 'get_ticket',
      title: 'Get a ticket',
      description: 'One ticket by its number, from the help desk.',
      annotations: { readOnlyHint: true },
      inputSchema: object({ id: text, expand: { type: 'string', enum: ['history', 'customer'] } }, ['id']),
      http: {
        method: 'GET',
        url: 'https://desk.example.com/api/tickets/{id}',
        query: { expand: '{expand}' },
        auth: { type: 'bearer', secret: 'DESK_TOKEN' },
      },
    },
    {
      name: 'close_ticket',
      title: 'Close a ticket',
      inputSchema: object({ id: text, reason: text }),
      annotations: { destructiveHint: true },
      http: {
        method: 'POST',
        url: 'https://desk.example.com/api/tickets/{id}/close',
        auth: { type: 'bearer', secret: 'DESK_TOKEN' },
      },
    },
    {
      name: 'hand_over',
      title: 'Hand over a ticket',
      description: 'Hands a ticket to a colleague, whose name it asks for.',
      annotations: { destructiveHint: false, openWorldHint: false },
      inputSchema: object({ id: text }),
      code: {
        source: `export default async ({ id }, ctx) => {
  const answer = await ctx.elicit('to', {
    message: \`Who takes over ticket \${id}?\`,
    requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.action === 'accept' ? \`\${answer.content.name} has ticket \${id} now.\` : 'Nobody takes it over.';
};
`,
      },
    },
  ],
  prompts: [
    {
      name: 'summarise_ticket',
      title: 'Summarise a ticket',
      description: 'A ticket in three sentences, for whoever takes it over.',
      arguments: [
        { name: 'id', description: 'Number of the ticket.', required: true },
        { name: 'reader', description: 'For whom it is.', complete: ['colleague', 'customer', 'manager'] },
      ],
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: 'Read ticket {id} and sum it up in three sentences for a {reader}.' },
        },
      ],
    },
    {
      name: 'tone of voice',
      description: 'How the house writes, as a first message.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Write as we do: short sentences, no exclamation marks.' } },
        { role: 'assistant', content: { type: 'text', text: 'Understood.' } },
      ],
    },
  ],
  resources: [
    {
      uri: 'desk://handbook',
      name: 'Handbook',
      description: 'The rules of the desk.',
      mimeType: 'text/markdown',
      annotations: { audience: ['assistant'], priority: 0.8 },
      text: '# Handbook\n\n1. Answer within a day.\n2. One ticket, one person.\n',
    },
    {
      uri: 'desk://logo',
      name: 'Logo',
      description: 'A dot.',
      mimeType: 'image/gif',
      blob: 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=',
    },
    {
      uri: 'desk://queue',
      name: 'Queue',
      description: 'Tickets that wait, from the help desk.',
      mimeType: 'application/json',
      http: {
        method: 'GET',
        url: 'https://desk.example.com/api/queue',
        auth: { type: 'bearer', secret: 'DESK_TOKEN' },
      },
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'desk://teams/{team}/rota',
      name: 'Rota',
      description: 'Who of a team is on duty.',
      complete: { team: ['north', 'south'] },
      text: 'On duty in team {team}: ask at the front desk.',
    },
  ],
};

/** A server that anybody may use, and one that is a draft. */
const glossary = {
  name: 'Glossary',
  version: '1.0.0',
  access: 'public',
  tools: [
    {
      name: 'define',
      description: 'What a word of the trade means.',
      annotations: { readOnlyHint: true },
      inputSchema: object({ word: text }),
      template: { text: '{word}: ask the librarian.' },
    },
  ],
};

const many = {
  name: 'Catalogue',
  version: '1.0.0',
  tools: Array.from({ length: 60 }, (_, index) => ({
    name: `lookup_${String(index + 1).padStart(2, '0')}`,
    title: `Look up shelf ${index + 1}`,
    description: `What stands on shelf ${index + 1} of the store.`,
    annotations: { readOnlyHint: true },
    inputSchema: object({ item: text }),
    template: { text: `{item} stands on shelf ${index + 1}.` },
  })),
};

/** Calls list: successes, tool errors and refused arguments. */
const calls = [
  ...Array.from({ length: 12 }, (_, index) => ({
    server: 'support',
    name: 'draft_reply',
    arguments: { customer: `Customer ${index + 1}`, topic: 'an invoice' },
  })),
  ...Array.from({ length: 6 }, (_, index) => ({
    server: 'support',
    name: 'estimate_wait',
    arguments: { position: index + 1 },
  })),
  { server: 'support', name: 'estimate_wait', arguments: { position: 0 } },
  { server: 'support', name: 'draft_reply', arguments: {} },
];

export const seedTenants = [
  {
    slug: 'initech',
    name: 'Initech',
    servers: { support, glossary, catalogue: many },
    secrets: { DESK_TOKEN: { value: 'only-for-the-seed', hosts: ['desk.example.com'] } },
    calls,
  },
  {
    slug: 'globex',
    name: 'Globex',
    servers: { glossary },
    secrets: {},
    calls: [{ server: 'glossary', name: 'define', arguments: { word: 'gantry' } }],
  },
];
