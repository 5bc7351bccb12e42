'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryProblem } from '@/components/page/query-problem';
import { EraBadge, StateBadge } from '@/components/sessions/session-badges';
import { clientName } from '@/components/sessions/session-model';
import { SilentNodes } from '@/components/sessions/silent-nodes';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { PageSkeleton } from '@/components/ui/skeleton';
import { useLiveSession } from '@/data/sessions/live';
import { isStateless, messagesQuery, sessionQuery } from '@/data/sessions/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { problemOf } from '@/lib/api/problem';
import { usePolling } from '@/lib/live/use-live';
import { t } from '@/strings';
import { type Ended, EndResult } from './end-result';
import { EndSession } from './end-session';
import { InFlightPanel } from './in-flight-panel';
import { MessagesPanel } from './messages-panel';
import { SessionFacts } from './session-facts';

const text = t.sessions.detail;

export function SessionScreen({ tenant, id }: { tenant: string; id: string }) {
  const refetchInterval = usePolling();
  const [result, setResult] = useState<Ended>();
  const stateless = isStateless(id);
  const done = result !== undefined && !stateless;
  const query = useQuery({ ...sessionQuery(tenant, id), enabled: !done, refetchInterval });
  const messages = useQuery({ ...messagesQuery(tenant, id), enabled: !stateless && !done, refetchInterval });
  const unknown = query.isError && problemOf(query.error).status === 404;
  const live = useLiveSession(tenant, id, messages.data, !unknown && !done);
  const mayEnd = may(useQuery(tenantQuery(tenant)).data, 'sessions:end');
  const session = query.data;
  // What a session last was stays readable after it has ended; the API does not know it any more.
  const over = done || live.ended || (unknown && session !== undefined);

  return (
    <div className="flex flex-col gap-5">
      <nav aria-label={t.shell.breadcrumb} className="text-muted text-sm">
        <Link href={`/t/${tenant}/sessions`} className="hover:text-text hover:underline">
          {t.sessions.back}
        </Link>
      </nav>
      <PageHeader
        title={session ? clientName(session) : text.title}
        facts={
          session && (
            <>
              <span className="font-mono text-muted text-sm">{session.client.version}</span>
              <EraBadge era={session.era} revision={session.revision} />
              <StateBadge state={over ? 'ended' : session.state} />
            </>
          )
        }
        actions={
          <>
            {!over && !unknown && <LivePill />}
            {session && !over && mayEnd && <EndSession tenant={tenant} session={session} onEnded={setResult} />}
          </>
        }
      />
      {result && <EndResult result={result} stateless={stateless} />}
      {session && !result && over && (
        <Callout tone="info" role="status" title={text.gone}>
          {text.goneText}
        </Callout>
      )}
      {!unknown && <QueryProblem query={query} />}
      {session ? (
        <>
          <SilentNodes nodes={session.silentNodes} />
          <SessionFacts tenant={tenant} session={session} />
          <InFlightPanel tenant={tenant} session={session} over={over} mayCancel={mayEnd && !over} />
          {!stateless && <MessagesPanel live={live} query={messages} over={over} />}
        </>
      ) : unknown ? (
        <Gone tenant={tenant} />
      ) : (
        !query.isError && <PageSkeleton />
      )}
    </div>
  );
}

function Gone({ tenant }: { tenant: string }) {
  return (
    <Callout
      tone="info"
      title={text.unknown}
      actions={
        <>
          <Button asChild size="sm">
            <Link href={`/t/${tenant}/sessions`}>{t.sessions.back}</Link>
          </Button>
          <Button asChild size="sm">
            <Link href={`/t/${tenant}/calls`}>{text.callLog}</Link>
          </Button>
        </>
      }
    >
      {text.unknownText}
    </Callout>
  );
}
