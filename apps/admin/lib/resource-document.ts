import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';

export const resourceKinds = ['text', 'blob', 'http', 'code'] as const;
export const templateKinds = ['text', 'http', 'code'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Where the contents come from; exactly one of them is there once it is stored. */
export function resourceKindOf(item: ResourceDocument | ResourceTemplateDocument): ResourceKind {
  return resourceKinds.find((kind) => (item as ResourceDocument)[kind] !== undefined) ?? 'text';
}

/** A resource to begin with, by kind. */
export function starterResource(kind: ResourceKind): ResourceDocument {
  const base = { uri: '', name: '' };
  if (kind === 'text') return { ...base, mimeType: 'text/plain', text: '' };
  if (kind === 'blob') return { ...base, mimeType: 'image/png', blob: '' };
  if (kind === 'http') return { ...base, http: { method: 'GET', url: '' } };
  return { ...base, mimeType: 'text/plain', code: { source: "export default async (args, ctx) => 'Hello.';\n" } };
}

/** A resource template to begin with, by kind. */
export function starterTemplate(kind: (typeof templateKinds)[number]): ResourceTemplateDocument {
  const base = { uriTemplate: 'notes://{id}', name: '' };
  if (kind === 'text') return { ...base, mimeType: 'text/plain', text: 'Note {id}' };
  if (kind === 'http') return { ...base, http: { method: 'GET', url: '' } };
  return {
    ...base,
    mimeType: 'text/plain',
    code: { source: noteCode },
  };
}

/** As it is sent: texts left empty are not there at all. */
export function prunedResource<D extends ResourceDocument | ResourceTemplateDocument>(item: D): D {
  const { title, description, mimeType, ...rest } = item;
  return {
    ...rest,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(mimeType ? { mimeType } : {}),
  } as D;
}

const noteCode = `export default async (args, ctx) => \`Note \${args.id}\`;
`;
