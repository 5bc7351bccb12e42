import { resourceSources, resourceTemplateSources } from '@gantry/contracts';
import { asciiUri, checkUriTemplate, uriTemplateVariables } from '@gantry/mcp-core';
import { base64Bytes, isBase64 } from '../../../common/base64.js';
import { isObject } from '../../../common/json.js';
import { type Deferred, deferRunner } from './deferred.js';
import { namedSources, schemaOfNames, warnUndescribed } from './source-check.js';
import { uriFault } from './uri-check.js';
import type { Findings } from './verdict.js';

/** Judges one resource beyond its shape, on the raw value, as `checkTool` does. */
export function checkResource(resource: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred): void {
  if (!isObject(resource)) return;
  namedSources(resource, resourceSources, 'source', path, findings);
  warnUndescribed(resource, path, findings, 'people and models choose resources');
  const fault = typeof resource.uri === 'string' && resource.uri !== '' ? uriFault(resource.uri) : undefined;
  if (fault !== undefined) findings.fault([...path, 'uri'], fault);
  if (typeof resource.blob === 'string' && !isBase64(resource.blob)) {
    findings.fault([...path, 'blob'], 'must be base64 with its padding');
  }
  const actual = sizeOf(resource);
  if (actual !== undefined && resource.size !== undefined && resource.size !== actual) {
    findings.warn(
      [...path, 'size'],
      `is not the size of what is there, ${actual} bytes; that is what clients are shown`,
    );
  }
  checkStream(resource.http, path, findings);
  const inputSchema = schemaOfNames([]);
  deferRunner('http', resource.http, { path: [...path, 'http'], inputSchema, argumentsAre: NO_ARGUMENT }, deferred);
  deferRunner('code', resource.code, { path: [...path, 'code'], inputSchema }, deferred);
}

const NO_ARGUMENT = 'known: a resource has no arguments';

/** Judges one resource template beyond its shape, on the raw value, as `checkTool` does. */
export function checkResourceTemplate(
  template: unknown,
  path: PropertyKey[],
  findings: Findings,
  deferred: Deferred,
): void {
  if (!isObject(template)) return;
  namedSources(template, resourceTemplateSources, 'source', path, findings);
  warnUndescribed(template, path, findings, 'people and models choose resources');
  checkStream(template.http, path, findings);
  const variables = checkVariables(template, path, findings);
  const inputSchema = schemaOfNames(variables ?? []);
  // Without sound variables every slot would be a stranger.
  const argumentsAre = 'a variable of the URI template';
  const schema = variables === undefined ? { ...inputSchema, patternProperties: {} } : inputSchema;
  const about = { inputSchema: schema, argumentsAre };
  if (typeof template.text === 'string') {
    deferRunner('template', { text: template.text }, { ...about, path }, deferred);
  }
  deferRunner('http', template.http, { ...about, path: [...path, 'http'] }, deferred);
  deferRunner('code', template.code, { ...about, path: [...path, 'code'] }, deferred);
}

/** Reading a resource tells nothing on its way, and is no job. */
function checkStream(http: unknown, path: readonly PropertyKey[], findings: Findings): void {
  if (isObject(http) && (http.stream === 'sse' || http.stream === 'ndjson')) {
    findings.fault([...path, 'http', 'stream'], 'only the answer of a tool can be a stream: expected "none"');
  }
}

/** The variables of the template's URI; undefined when it is unsound. */
function checkVariables(
  template: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  findings: Findings,
): readonly string[] | undefined {
  const { uriTemplate, complete } = template;
  if (typeof uriTemplate !== 'string' || uriTemplate === '') return undefined;
  // It is compiled as clients see it, in ASCII, where it may be longer.
  const fault = checkUriTemplate(uriTemplate) ?? checkUriTemplate(asciiUri(uriTemplate));
  if (fault !== undefined) {
    findings.fault([...path, 'uriTemplate'], fault);
    return undefined;
  }
  const variables = uriTemplateVariables(uriTemplate);
  for (const name of isObject(complete) ? Object.keys(complete) : []) {
    if (!variables.includes(name)) findings.warn([...path, 'complete', name], 'is not a variable of the URI template');
  }
  return variables;
}

/** Bytes of what stands in the document itself; undefined when it is made at each read. */
export function sizeOf({ text, blob }: { readonly text?: unknown; readonly blob?: unknown }): number | undefined {
  if (typeof text === 'string') return Buffer.byteLength(text);
  return typeof blob === 'string' ? base64Bytes(blob) : undefined;
}
