import { isDeepStrictEqual } from 'node:util';
import type { ServerDocument, ToolDocument, ToolsDiff } from '@gantry/contracts';

/** How `tools/list` differs between two documents, as a client would see it. */
export function toolsDiff(before: ServerDocument | undefined, after: ServerDocument): ToolsDiff {
  const old = new Map((before?.tools ?? []).map((tool) => [tool.name, tool]));
  const diff: ToolsDiff = { added: [], changed: [], removed: [] };
  for (const tool of after.tools) {
    const earlier = old.get(tool.name);
    old.delete(tool.name);
    if (earlier === undefined) diff.added.push(tool.name);
    else if (!isDeepStrictEqual(listed(earlier), listed(tool))) diff.changed.push(tool.name);
  }
  diff.removed.push(...old.keys());
  return diff;
}

function listed(tool: ToolDocument) {
  const { name, title, description, icons, annotations, inputSchema, outputSchema, _meta } = tool;
  return { name, title, description, icons, annotations, inputSchema, outputSchema, _meta };
}
