export { createMcpEndpoint, type EndpointOptions } from './create-endpoint.js';
export type { CallRecord, HostContext, HostHooks, Refusal, RequestCaller } from './dispatch/host.js';
export { DEFAULT_LIMITS, type EndpointLimits } from './dispatch/limits.js';
export { type FoundResource, MAX_URI_LENGTH, ResourceIndex } from './dispatch/resource-index.js';
export {
  checkOutputSchema,
  checkToolSchema,
  normaliseInputSchema,
  type SchemaFault,
} from './dispatch/schemas/check-tool-schema.js';
export { findFault } from './dispatch/schemas/validators.js';
export { checkUriTemplate, uriTemplateVariables } from './dispatch/uri-template.js';
export {
  type AnsweredJob,
  type AnswerServices,
  answerJob,
  answerWithError,
  askJob,
  jobOutcomeUnknown,
  leaveUnanswered,
} from './jobs/answer-job.js';
export { answeredRounds } from './jobs/asked-rounds.js';
export type { ProgressListener } from './jobs/job-host.js';
export type { JobServices } from './jobs/job-services.js';
export { runJob } from './jobs/run-job.js';
export * from './jsonrpc/index.js';
export { InMemoryChangeBus } from './memory/change-bus.js';
export { InMemoryEventLog } from './memory/event-log.js';
export { InMemoryNodeBus } from './memory/node-bus.js';
export { InMemorySessionStore } from './memory/session-store.js';
export { InMemorySessionTurns } from './memory/session-turns.js';
export { InMemoryStateSealer } from './memory/state-sealer.js';
export type { QuestionHandler, QuestionHandlers, Root } from './peers/client-handlers.js';
export { type PeerFault, PeerUsageError, UnexpectedAnswerError } from './peers/errors.js';
export {
  askClient,
  type PromptHandler,
  type ResourceHandler,
  type ResourceRequest,
  type ToolHandler,
} from './peers/handlers.js';
export {
  type CallOptions,
  type Completion,
  type CompletionRef,
  McpClient,
  type McpClientOptions,
  type ServerDescription,
} from './peers/mcp-client.js';
export { McpServer, type McpServerOptions } from './peers/mcp-server.js';
export type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  RunOptions,
  ToolDefinition,
} from './peers/offers.js';
export type { ServerConnection } from './peers/server-connection.js';
export * from './ports/catalogue.js';
export * from './ports/change-bus.js';
export * from './ports/clock.js';
export * from './ports/event-log.js';
export * from './ports/id-generator.js';
export * from './ports/jobs.js';
export * from './ports/live-nodes.js';
export * from './ports/logger.js';
export * from './ports/meter.js';
export * from './ports/node-bus.js';
export * from './ports/session-store.js';
export * from './ports/session-tracer.js';
export * from './ports/session-turns.js';
export * from './ports/state-sealer.js';
export * from './ports/tool-runner.js';
export { asciiUri } from './protocol/ascii-uri.js';
export { isLogLevel, LOG_LEVELS, passesLevel } from './protocol/log-levels.js';
export { METHOD_NAMES, type MethodName } from './protocol/methods.js';
export { LEGACY_REVISIONS, MODERN_REVISIONS } from './protocol/revisions.js';
export type {
  Annotations,
  AudioContent,
  ClientCapabilities,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  Implementation,
  InputMethod,
  InputRequest,
  LogLevel,
  ObjectSchema,
  Prompt,
  PromptArgument,
  PromptMessage,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceTemplate,
  TextContent,
  Tool,
  ToolAnnotations,
} from './protocol/types.js';
export { encodeJson, wellFormed } from './protocol/well-formed.js';
export { outcomeUnknown } from './sessions/outcome-unknown.js';
export type { OpenStream } from './sessions/session-streams.js';
export type { SessionView } from './sessions/session-view.js';
export type { HolderFilter } from './subscriptions/listen-streams.js';
export * from './transports/http-exchange.js';
export { InMemoryTransport } from './transports/in-memory/index.js';
export { McpEndpoint } from './transports/streamable-http/endpoint.js';
export { type ModernRequest, modernRequest } from './transports/streamable-http/modern-request.js';
export {
  declaredCapabilities,
  type HeldSession,
  type LetGo,
  type NodeView,
  type RequestHolder,
  type RunningCall,
} from './transports/streamable-http/node-view.js';
export type { EndpointPorts } from './transports/streamable-http/services.js';
