import type { CatalogueResource, CatalogueResourceTemplate } from '../ports/catalogue.js';
import { asciiUri } from '../protocol/ascii-uri.js';
import { compileUriTemplate, type UriTemplate } from './uri-template.js';

/** What a URI names: a resource, or a template with what its variables stand for. */
export interface FoundResource {
  readonly resource: CatalogueResource | CatalogueResourceTemplate;
  readonly variables: Readonly<Record<string, string>>;
}

/** URIs may have this many characters; a longer one names nothing. */
export const MAX_URI_LENGTH = 2_048;

interface PreparedTemplate {
  readonly template: CatalogueResourceTemplate;
  readonly compiled: UriTemplate;
}

const NO_VARIABLES: Readonly<Record<string, string>> = Object.freeze({});

/** The resources and templates of one snapshot, to be found by URI. */
export class ResourceIndex {
  readonly #exact: ReadonlyMap<string, CatalogueResource>;
  #templates: readonly PreparedTemplate[] | undefined;

  constructor(
    resources: readonly CatalogueResource[],
    private readonly catalogued: readonly CatalogueResourceTemplate[],
  ) {
    this.#exact = new Map(resources.map((resource) => [asciiUri(resource.definition.uri), resource]));
  }

  /** The resource of exactly that URI, or else the first template in the document's order that it fits. */
  find(asked: string): FoundResource | undefined {
    const uri = asciiUri(asked);
    const resource = this.#exact.get(uri);
    if (resource !== undefined) return { resource, variables: NO_VARIABLES };
    if (uri.length > MAX_URI_LENGTH) return undefined;
    for (const { template, compiled } of this.templates) {
      const variables = compiled.match(uri);
      if (variables !== undefined) return { resource: template, variables };
    }
    return undefined;
  }

  /** The template of exactly that text. */
  template(text: string): PreparedTemplate | undefined {
    return this.templates.find(({ template }) => asciiUri(template.definition.uriTemplate) === asciiUri(text));
  }

  private get templates(): readonly PreparedTemplate[] {
    this.#templates ??= this.catalogued.flatMap((template) => {
      const compiled = compileUriTemplate(asciiUri(template.definition.uriTemplate));
      // Publishing refuses what cannot be compiled; what was stored all the same is listed and fits no URI.
      return typeof compiled === 'string' ? [] : [{ template, compiled }];
    });
    return this.#templates;
  }
}
