import { problemSchema } from '@gantry/contracts';
import { z } from 'zod';
import type { RegisteredRoute } from '../../common/http/route-table.js';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: object;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

/** The OpenAPI 3.1 description of the routes, from the same Zod schemas that check requests. */
export function openApiDocument(
  routes: readonly RegisteredRoute[],
  publicUrl: string,
  version: string,
): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    if (route.operation.access === 'gateway') continue;
    const path = route.url.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry management API',
      version,
      description:
        'Errors are RFC 9457 problems with a stable `code`. Lists answer `items` and, when there is more, `nextCursor`.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token, an API key of a tenant with the scope, or a console session.',
        },
      },
      schemas: { Problem: schemaOf(problemSchema, 'output') },
    },
  };
}

function operationOf({ method, url, operation }: RegisteredRoute): OpenApiOperation {
  const { summary, description, access, query, answers } = operation;
  const body = operation.body ?? operation.describedBody;
  const isPublic = access === 'public';
  return {
    operationId: `${method.toLowerCase()}${url.replace(/[^A-Za-z0-9]+(.)?/g, (_all, next: string | undefined) => (next ?? '').toUpperCase())}`,
    summary,
    description: [description, isPublic ? undefined : `Needs: ${access}.`].filter(Boolean).join(' '),
    tags: [tagOf(url)],
    security: isPublic ? [] : [{ bearer: [] }],
    parameters: [...pathParameters(url), ...queryParameters(query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(schemaOf(body, 'input')) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          { description: summary, ...(schema === null ? {} : { content: jsonContent(schemaOf(schema, 'output')) }) },
        ]),
      ),
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function tagOf(url: string): string {
  const nouns = url
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':') && part !== 'api' && part !== 'v1');
  const known = [
    'tools',
    'prompts',
    'resources',
    'resourceTemplates',
    'revisions',
    'servers',
    'keys',
    'secrets',
    'calls',
    'audit',
    'tenants',
  ];
  return known.find((noun) => nouns.includes(noun)) ?? nouns[0] ?? 'api';
}

function pathParameters(url: string): object[] {
  return [...url.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function jsonContent(schema: object): object {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
