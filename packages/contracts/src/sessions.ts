import { z } from 'zod';
import { pageQuerySchema, pageSchema, timestampSchema } from './common.js';

/** `session`: Streamable HTTP up to 2025-11-25. `http+sse`: the transport of 2024-11-05. `stateless`: 2026-07-28. */
export const eraSchema = z.enum(['session', 'stateless', 'http+sse']);
export type Era = z.infer<typeof eraSchema>;

/**
 * `active`: something runs, or a message came within the last minute. `draining`: what is open of it is held by nodes
 * that are being emptied. `idle`: neither.
 */
export const sessionStateSchema = z.enum(['active', 'idle', 'draining']);
export type SessionState = z.infer<typeof sessionStateSchema>;

export const sessionClientSchema = z.object({
  /** What the client says of itself; both absent where it says nothing. */
  name: z.string().optional(),
  version: z.string().optional(),
});

/**
 * A session that lives, or a stateless client: everything that came lately with the same credential, client name and
 * version to the same server.
 */
export const sessionSchema = z.object({
  /** Of a session its own; of a stateless client `stateless:` and a digest of what it is grouped by. */
  id: z.string(),
  era: eraSchema,
  /** Of the protocol, as negotiated, or as in the last stateless request. */
  revision: z.string(),
  server: z.string(),
  client: sessionClientSchema,
  /** "key:<id>", "user:<id>", "automation", "anonymous". */
  principal: z.string(),
  /** The node that served it last, as far as the nodes know; else the one that opened it. */
  node: z.string(),
  state: sessionStateSchema,
  createdAt: timestampSchema,
  lastSeenAt: timestampSchema,
  /** Requests running, over all nodes. */
  inFlight: z.number().int().min(0),
  /** Streams open, over all nodes: of a session its own, of a stateless client listens. */
  streams: z.number().int().min(0),
  /** Requests finished since the nodes met it, and how many of those with an error. */
  calls: z.number().int().min(0),
  errors: z.number().int().min(0),
});
export type Session = z.infer<typeof sessionSchema>;

/** Which nodes gave no answer in time: what only they hold is missing, not zero. */
const silentNodes = { silentNodes: z.array(z.string()) };

/** Oldest first; stateless clients after the sessions. */
export const sessionPageSchema = pageSchema(sessionSchema).extend(silentNodes);
export type SessionPage = z.infer<typeof sessionPageSchema>;

const word = z
  .string()
  .max(200)
  .regex(/^[^\0]*$/)
  .optional();
export const sessionQuerySchema = pageQuerySchema.extend({
  server: word,
  /** The whole name a client gives itself. */
  client: word,
  /** A node that served it last, or holds something of it. */
  node: word,
  era: eraSchema.optional(),
  state: sessionStateSchema.optional(),
  /** Part of an id, a client's name or version, a principal, or a server; case does not count. */
  q: word,
});
export type SessionQuery = z.infer<typeof sessionQuerySchema>;

/** A request that runs. */
export const inFlightCallSchema = z.object({
  /** Names it in `…/calls/{id}/cancel`. */
  id: z.string(),
  /** The JSON-RPC id its client gave it. */
  requestId: z.union([z.string(), z.number()]),
  method: z.string(),
  /** The tool of a `tools/call`. */
  tool: z.string().optional(),
  startedAt: timestampSchema,
  node: z.string(),
  /** Its last progress, if its client asked for any. */
  progress: z.object({ value: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
});
export type InFlightCall = z.infer<typeof inFlightCallSchema>;

export const sessionStreamSchema = z.object({
  stream: z.string(),
  /** `listen`: `subscriptions/listen`. `call`: a request's own. `standalone`: what GET opens. */
  kind: z.enum(['standalone', 'call', 'listen']),
  node: z.string(),
  openedAt: timestampSchema,
  /** Events shown on this connection. */
  events: z.number().int().min(0),
});
export type SessionStream = z.infer<typeof sessionStreamSchema>;

const capabilitiesSchema = z.record(z.string(), z.unknown());

export const sessionDetailSchema = sessionSchema.extend({
  /** What the client and the server have declared. */
  clientCapabilities: capabilitiesSchema,
  serverCapabilities: capabilitiesSchema,
  /** The least severe log message it is sent; absent for a stateless client. */
  logLevel: z.string().optional(),
  /** When it ends, should nothing more come; absent for a stateless client. */
  expiresAt: timestampSchema.optional(),
  /** Nodes that hold something of it: a request, a stream, its messages. */
  nodes: z.array(z.string()),
  /** At most 200 a node, as are streams. */
  inFlightCalls: z.array(inFlightCallSchema),
  openStreams: z.array(sessionStreamSchema),
  ...silentNodes,
});
export type SessionDetail = z.infer<typeof sessionDetailSchema>;

/** Answer of DELETE: what each node let go of. A node without anything of it is not named. */
export const sessionEndedSchema = z.object({
  ended: z.literal(true),
  nodes: z.array(z.object({ node: z.string(), calls: z.number().int().min(0), streams: z.number().int().min(0) })),
  ...silentNodes,
});
export type SessionEnded = z.infer<typeof sessionEndedSchema>;

/** Answer of a cancel. */
export const callCancelledSchema = z.object({
  /** True when the work has stopped, false when it had ended before the cancel came. */
  cancelled: z.boolean(),
  /** The node that ran it; absent when no node did. */
  node: z.string().optional(),
  ...silentNodes,
});
export type CallCancelled = z.infer<typeof callCancelledSchema>;

/** One message of a session, without its contents. */
export const sessionMessageSchema = z.object({
  at: timestampSchema,
  /** Who sent it. */
  direction: z.enum(['client', 'server']),
  /** `error`: a response that is one. `stream`: a connection that opened or closed; see `name` and `stream`. */
  kind: z.enum(['request', 'response', 'notification', 'error', 'stream']),
  /** Of responses: what they answer. */
  method: z.string().optional(),
  requestId: z.union([z.string(), z.number()]).optional(),
  /** Of a tool, prompt or resource; of a stream event "open" or "close". */
  name: z.string().optional(),
  /** Of a stream event: the stream, as `openStreams` name it. One that is taken up again has the same name. */
  stream: z.string().optional(),
  /** Of the message as JSON text. */
  bytes: z.number().int().min(0),
  /** Of responses: since the request. */
  durationMs: z.number().optional(),
  node: z.string(),
  /** Counted on each node from 1; with `node` it names the message. */
  sequence: z.number().int().min(1),
});
export type SessionMessage = z.infer<typeof sessionMessageSchema>;

/** Oldest first. `dropped`: how many older ones the nodes no longer keep. */
export const sessionMessagePageSchema = pageSchema(sessionMessageSchema).extend({
  dropped: z.number().int().min(0),
  ...silentNodes,
});
export type SessionMessagePage = z.infer<typeof sessionMessagePageSchema>;
export const sessionMessageQuerySchema = pageQuerySchema;
