import { MCPError } from '../../jsonrpc/errors.js';
import type { Params } from '../../jsonrpc/messages.js';
import type { ResourceOutcome, ResourceRead } from '../../ports/tool-runner.js';
import { asciiUri } from '../../protocol/ascii-uri.js';
import type { Method, Run } from '../method.js';
import { admit } from '../request-context.js';
import { existing, uriOf } from '../resource-access.js';
import type { FoundResource } from '../resource-index.js';
import { requestFacts, runEntry } from '../run-entry.js';

export const resourcesRead: Method = {
  name: 'resources/read',
  needs: 'resources',
  admitsItself: true,
  answer(params, run) {
    const uri = uriOf(params);
    const found = existing(run.extra, uri);
    const waiting = admit(run, 'resources/read', params, undefined);
    return waiting === undefined ? read(found, uri, params, run) : waiting.then(() => read(found, uri, params, run));
  },
};

function read({ resource, variables }: FoundResource, uri: string, params: Params, run: Run): unknown {
  const { extra } = run;
  const { resourceRunner } = extra.host;
  if (resourceRunner === undefined) throw new Error('The host offers resources and has no resourceRunner');
  const request: ResourceRead = { resource, uri, variables, ...requestFacts(run, params) };
  const failed = (words: string) => new MCPError(extra.revision.failedResource, words, { uri });
  return runEntry<ResourceOutcome>(run, params, {
    entry: resource,
    label: `resource ${uri}`,
    begin: (context) => resourceRunner.read(request, context),
    failed,
    result(outcome) {
      // Clients may take empty contents for an empty resource; nothing read is a failure (2026-07-28, server/resources).
      if (outcome.contents.length === 0) throw failed(`Reading resource ${uri} gave no contents.`);
      const contents = outcome.contents.map((each) => ({ ...each, uri: asciiUri(each.uri) }));
      return extra.revision.resourceResult({ ...outcome, contents }, extra.server.implementation);
    },
  });
}
