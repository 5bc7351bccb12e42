import { MCPError } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import { asciiUri } from '../protocol/ascii-uri.js';
import { invalidParams, type RequestContext } from './request-context.js';
import { type FoundResource, MAX_URI_LENGTH } from './resource-index.js';

/** The URI a request is about, in ASCII. @throws MCPError -32602 */
export function uriOf({ uri }: Params): string {
  if (typeof uri !== 'string') throw invalidParams('uri must be a string');
  if (uri.length > MAX_URI_LENGTH) throw invalidParams(`uri is longer than ${MAX_URI_LENGTH} characters`);
  return asciiUri(uri);
}

/** The resource of that URI. @throws MCPError as the revision says that there is none */
export function existing({ server, revision }: RequestContext, uri: string): FoundResource {
  const found = server.resource(uri);
  if (found === undefined) throw new MCPError(revision.unknownResource, `Resource not found: ${uri}`, { uri });
  return found;
}
