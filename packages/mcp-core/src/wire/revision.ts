import type { JsonRpcErrorObject } from '../jsonrpc/messages.js';
import type { MethodName } from '../protocol/methods.js';
import type { TaskState } from '../protocol/tasks.js';
import type {
  Implementation,
  Prompt,
  PromptOutcome,
  Resource,
  ResourceOutcome,
  ResourceTemplate,
  Tool,
  ToolOutcome,
} from '../protocol/types.js';
import type { QuestionRules } from './questions.js';

/** `session`: opened by `initialize`. `stateless`: every request stands alone. */
export type Era = 'session' | 'stateless';

/** How calls become tasks, and how tasks are shown. */
export interface TaskRules {
  /** 2025-11-25: the request asks for a task. 2026-07-28: the server makes one for clients with the extension. */
  readonly decidedBy: 'client' | 'server';
  /** What is declared where tools may run as tasks. */
  readonly capability: Readonly<Record<string, unknown>>;
  /** The answer to the call: members beside the envelope's. */
  created(task: TaskState): Record<string, unknown>;
  /** A task as `tasks/get` and notifications show it. */
  shown(task: TaskState): Record<string, unknown>;
}

/** All that differs between two revisions of the protocol. What a revision does not name it does not serve. */
export interface Revision {
  readonly name: string;
  readonly era: Era;
  /** The method table: anything else is -32601. */
  readonly methods: readonly MethodName[];
  /** Several messages may come as one array. */
  readonly batches: boolean;
  /** A stream begins with an event that has an id and no data. */
  readonly primesStreams: boolean;
  /** Progress may say in words what is being done. */
  readonly progressMessages: boolean;
  /** A client that closes its response gives up the request. */
  readonly disconnectCancels: boolean;
  /** How arguments that break the schema are answered: as a result the model can read, or as -32602. */
  readonly argumentFaults: 'tool-error' | 'invalid-params';
  /** Whether `completions` is a capability with a name; the method is served either way. */
  readonly announcesCompletions: boolean;
  /** Error codes for a resource that is not there, and for one that could not be read. */
  readonly unknownResource: number;
  readonly failedResource: number;
  /** A tool as this revision lists it. */
  listedTool(tool: Tool): Record<string, unknown>;
  /** A tool's result as this revision carries it, envelope included. */
  toolResult(outcome: ToolOutcome, tool: Tool, server: Implementation): Record<string, unknown>;
  listedPrompt(prompt: Prompt): Record<string, unknown>;
  listedResource(resource: Resource): Record<string, unknown>;
  listedResourceTemplate(template: ResourceTemplate): Record<string, unknown>;
  /** A prompt's and a resource's result as this revision carries them, envelope and cache hints included. */
  promptResult(outcome: PromptOutcome, server: Implementation): Record<string, unknown>;
  resourceResult(outcome: ResourceOutcome, server: Implementation): Record<string, unknown>;
  /** Members every result of this revision has beside its own. */
  envelope(server: Implementation): Record<string, unknown>;
  /** Members of a result that clients may cache. */
  cacheHints(): Record<string, unknown>;
  /** How the client is asked for what a run needs. */
  readonly questions: QuestionRules;
  /** Revisions without tasks have none. */
  readonly tasks?: TaskRules;
  /** An error as this revision carries it: codes it does not know are replaced. */
  carriedError(error: JsonRpcErrorObject): JsonRpcErrorObject;
  /** How the server presents itself. */
  implementation(server: Implementation): Record<string, unknown>;
}
