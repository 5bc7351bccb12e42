'use client';
import type { Problem } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { Callout } from '@/components/ui/callout';
import { CopyButton } from '@/components/ui/copy-button';
import { problemOf } from '@/lib/api/problem';
import { t } from '@/strings';

/** An error where it happened: plain cause, stable code, request id, and what can be done. */
export function ProblemCallout({ error, title, actions }: { error: unknown; title?: string; actions?: ReactNode }) {
  return <ProblemView problem={problemOf(error)} title={title} actions={actions} />;
}

export function ProblemView({ problem, title, actions }: { problem: Problem; title?: string; actions?: ReactNode }) {
  const details = JSON.stringify(problem, null, 2);
  return (
    <Callout
      tone="danger"
      role="alert"
      title={title ?? problem.title}
      actions={
        <>
          {actions}
          <CopyButton text={details} what={t.common.copyDetails} label={t.common.copyDetails} />
        </>
      }
    >
      {title && problem.title !== title && <p>{problem.title}</p>}
      {problem.detail && problem.detail !== problem.title && <p>{problem.detail}</p>}
      {problem.errors && problem.errors.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {problem.errors.map((entry) => (
            <li key={`${entry.path} ${entry.message}`}>
              {entry.path && <code>{entry.path}</code>} {entry.message}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-muted text-xs">
        {t.common.code} <code>{problem.code}</code>
        {problem.requestId && (
          <>
            {' · '}
            {t.common.requestId} <code>{problem.requestId}</code>
          </>
        )}
      </p>
    </Callout>
  );
}
