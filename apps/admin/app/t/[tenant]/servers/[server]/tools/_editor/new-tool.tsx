'use client';
import type { RunnerKind } from '@gantry/contracts';
import { useMemo } from 'react';
import { starterTool } from '@/lib/tool-document';
import { ToolEditor } from './tool-editor';

export function NewTool({ tenant, server, kind }: { tenant: string; server: string; kind: RunnerKind }) {
  const base = useMemo(() => ({ document: starterTool(kind) }), [kind]);
  return <ToolEditor tenant={tenant} server={server} base={base} draftName={`+${kind}`} />;
}
