import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { Params } from '../../jsonrpc/messages.js';
import type { CataloguePrompt } from '../../ports/catalogue.js';
import type { PromptGet, PromptOutcome } from '../../ports/tool-runner.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import type { Method, Run } from '../method.js';
import { admit, invalidParams } from '../request-context.js';
import { requestFacts, runEntry } from '../run-entry.js';

type Arguments = Readonly<Record<string, string>>;
const NO_ARGUMENTS: Arguments = Object.freeze({});

export const promptsGet: Method = {
  name: 'prompts/get',
  needs: 'prompts',
  admitsItself: true,
  answer(params, run) {
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('name must be a string');
    const prompt = run.extra.server.prompt(name);
    if (prompt === undefined) throw new MCPError(MCP_CODES.INVALID_PARAMS, `Unknown prompt: ${name}`);
    const waiting = admit(run, 'prompts/get', params, undefined);
    return waiting === undefined ? get(prompt, params, run) : waiting.then(() => get(prompt, params, run));
  },
};

function get(prompt: CataloguePrompt, params: Params, run: Run): unknown {
  const { extra } = run;
  const { promptRunner } = extra.host;
  if (promptRunner === undefined) throw new Error('The host offers prompts and has no promptRunner');
  const request: PromptGet = { prompt, arguments: argumentsOf(prompt, params.arguments), ...requestFacts(run, params) };
  return runEntry<PromptOutcome>(run, params, {
    entry: prompt,
    label: `prompt ${prompt.definition.name}`,
    begin: (context) => promptRunner.get(request, context),
    failed: (words) => new MCPError(MCP_CODES.INVALID_PARAMS, words),
    result(outcome) {
      // A runner's fault, and not for clients to find out: they would be given a prompt that says nothing at all.
      if (!Array.isArray(outcome.messages)) throw new TypeError(`Prompt ${prompt.definition.name} gave no messages`);
      return extra.revision.promptResult(outcome, extra.server.implementation);
    },
  });
}

function argumentsOf({ definition }: CataloguePrompt, given: unknown = NO_ARGUMENTS): Arguments {
  if (!isJsonObject(given)) throw invalidParams('arguments must be an object');
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw invalidParams(`arguments.${name} must be a string`);
  }
  const missing = definition.arguments?.find(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing !== undefined) throw invalidParams(`arguments.${missing.name} is required by prompt ${definition.name}`);
  return given as Arguments;
}
