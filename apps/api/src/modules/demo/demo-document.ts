import type { ServerDocumentInput } from '@gantry/contracts';
import { COUNTER, OPENING_HOURS, SALES_REPORT, STOCKTAKE, TEXT_STATISTICS, WRAP_GIFT } from './demo-sources.js';

/**
 * The demo's server document: one tool of each kind, one that runs as a job, one that asks, and a prompt, a resource and a template, against the
 * little backend at `backendUrl`.
 */
export function demoDocument(backendUrl: string): ServerDocumentInput {
  return {
    name: 'Demo shop',
    title: 'Demo shop',
    version: '1.0.0',
    instructions:
      'A small stationery shop. Look up and place orders, count the stock, report on sales, and ask about returns.',
    tools: [
      {
        name: 'return_policy',
        title: 'Return policy',
        description: "The shop's return policy for a country, as text to show to a customer.",
        annotations: { readOnlyHint: true },
        inputSchema: {
          type: 'object',
          properties: { country: { type: 'string', description: 'The customer\'s country, e.g. "Norway".' } },
          required: ['country'],
          additionalProperties: false,
        },
        template: {
          text: 'Customers in {country} may return unused goods within 30 days of delivery. We pay for the way back.',
        },
      },
      {
        name: 'get_order',
        title: 'Get an order',
        description: 'One order by its number. Try 1001, 1002 or 1003.',
        annotations: { readOnlyHint: true },
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'string', description: 'The number of the order.' } },
          required: ['id'],
          additionalProperties: false,
        },
        http: { method: 'GET', url: `${backendUrl}/orders/{id}` },
      },
      {
        name: 'list_orders',
        title: 'List orders',
        description: 'All orders, or those in one state.',
        annotations: { readOnlyHint: true },
        inputSchema: {
          type: 'object',
          properties: { status: { type: 'string', enum: ['open', 'shipped', 'delivered'] } },
          additionalProperties: false,
        },
        http: { method: 'GET', url: `${backendUrl}/orders` },
      },
      {
        name: 'place_order',
        title: 'Place an order',
        description: 'Orders an item and answers the new order.',
        annotations: { destructiveHint: false },
        inputSchema: {
          type: 'object',
          properties: {
            item: { type: 'string', minLength: 1 },
            quantity: { type: 'integer', minimum: 1, maximum: 100 },
          },
          required: ['item', 'quantity'],
          additionalProperties: false,
        },
        http: { method: 'POST', url: `${backendUrl}/orders` },
      },
      {
        name: 'text_statistics',
        title: 'Text statistics',
        description: 'Characters, words, sentences and reading time of a text.',
        annotations: { readOnlyHint: true, openWorldHint: false },
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string', maxLength: 100_000 } },
          required: ['text'],
          additionalProperties: false,
        },
        code: { source: TEXT_STATISTICS },
      },
      {
        name: 'stocktake',
        title: 'Stocktake',
        description: 'Counts the stock shelf by shelf and reports progress on the way. Can be cancelled.',
        annotations: { readOnlyHint: true, openWorldHint: false },
        inputSchema: {
          type: 'object',
          properties: {
            shelves: { type: 'integer', minimum: 1, maximum: 100 },
            delayMs: { type: 'integer', minimum: 0, maximum: 1_000, description: 'Time per shelf.', default: 200 },
          },
          required: ['shelves'],
          additionalProperties: false,
        },
        timeoutMs: 120_000,
        code: { source: STOCKTAKE },
      },
      {
        name: 'sales_report',
        title: 'Sales report',
        description:
          'Adds up the sales of some months. Takes some seconds: runs as a job, with progress, and can be cancelled.',
        annotations: { readOnlyHint: true, openWorldHint: false },
        inputSchema: {
          type: 'object',
          properties: {
            months: { type: 'integer', minimum: 1, maximum: 24, description: 'How many months.', default: 6 },
          },
          additionalProperties: false,
        },
        execution: 'job',
        timeoutMs: 120_000,
        code: { source: SALES_REPORT },
      },
      {
        name: 'counter',
        title: 'Counter',
        description: 'Adds to a counter that belongs to this session and answers where it stands.',
        annotations: { destructiveHint: false, openWorldHint: false },
        inputSchema: {
          type: 'object',
          properties: { by: { type: 'integer', description: 'How much to add.', default: 1 } },
          additionalProperties: false,
        },
        stateful: true,
        code: { source: COUNTER },
      },
      {
        name: 'wrap_gift',
        title: 'Wrap a gift',
        description: 'Wraps an item and asks the person what the card shall say. Needs a client that can be asked.',
        annotations: { destructiveHint: false, openWorldHint: false },
        inputSchema: {
          type: 'object',
          properties: { item: { type: 'string', minLength: 1 } },
          required: ['item'],
          additionalProperties: false,
        },
        timeoutMs: 120_000,
        code: { source: WRAP_GIFT },
      },
    ],
    prompts: [
      {
        name: 'answer_customer',
        title: 'Answer a customer',
        description: 'Drafts an answer to a customer about an order, by the rules of the shop.',
        arguments: [
          {
            name: 'order',
            description: 'The number of the order.',
            required: true,
            complete: ['1001', '1002', '1003'],
          },
          { name: 'tone', description: 'How the answer shall sound.', complete: ['friendly', 'formal', 'brief'] },
        ],
        messages: [
          {
            role: 'user',
            content: {
              type: 'text',
              text: 'Look up order {order} and draft an answer to the customer: where it is, and what they may expect. Tone: {tone}',
            },
          },
        ],
      },
    ],
    resources: [
      {
        uri: 'shop://opening-hours',
        name: 'Opening hours',
        description: 'When the shop is open.',
        mimeType: 'text/markdown',
        text: OPENING_HOURS,
      },
    ],
    resourceTemplates: [
      {
        uriTemplate: 'shop://orders/{id}',
        name: 'Order',
        description: 'One order by its number, as the shop has it. Try 1001, 1002 or 1003.',
        mimeType: 'application/json',
        complete: { id: ['1001', '1002', '1003'] },
        http: { method: 'GET', url: `${backendUrl}/orders/{id}` },
      },
    ],
  };
}
