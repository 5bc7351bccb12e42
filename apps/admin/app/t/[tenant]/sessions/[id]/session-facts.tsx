'use client';
import type { SessionDetail } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { FactList, type FactRow } from '@/components/page/fact-list';
import { TimeAgo } from '@/components/page/time-ago';
import { callerName } from '@/components/sessions/session-model';
import { CopyButton } from '@/components/ui/copy-button';
import { apiKeysQuery } from '@/data/keys/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { withQuery } from '@/lib/api/path';
import { t } from '@/strings';

const text = t.sessions;
const detail = text.detail;
const link = 'text-accent-text hover:underline';

/** Who it is, where it is, what both sides can do. */
export function SessionFacts({ tenant, session }: { tenant: string; session: SessionDetail }) {
  const mayReadKeys = may(useQuery(tenantQuery(tenant)).data, 'keys:read');
  const keys = useQuery({ ...apiKeysQuery(tenant), enabled: mayReadKeys }).data?.items;
  const who: FactRow[] = [
    [
      detail.id,
      <span key="id" className="inline-flex items-center gap-1 font-mono text-xs">
        {session.id}
        <CopyButton text={session.id} what={detail.id} />
      </span>,
    ],
    [text.era, `${text.eras[session.era]} · ${session.revision}`, text.eraHints[session.era]],
    [text.principal, callerName(session.principal, keys), session.principal],
    [
      text.server,
      <Link key="server" className={link} href={`/t/${tenant}/servers/${session.server}`}>
        {session.server}
      </Link>,
    ],
    [detail.servedBy, <code key="node">{session.node}</code>, text.nodeHint],
    [detail.nodes, <code key="nodes">{session.nodes.join(' ') || t.common.none}</code>, detail.nodesHint],
  ];
  const what: FactRow[] = [
    [text.started, <TimeAgo key="started" at={session.createdAt} />],
    [text.lastMessage, <TimeAgo key="last" at={session.lastSeenAt} />],
    ...(session.expiresAt
      ? [[detail.expires, <TimeAgo key="expires" at={session.expiresAt} />] satisfies FactRow]
      : []),
    [text.streams, session.streams],
    [
      detail.callsDone,
      <span key="calls" className="inline-flex gap-2">
        {detail.callsOf(session.calls, session.errors)}
        <Link className={link} href={callsOf(tenant, session)}>
          {session.era === 'stateless' ? detail.serverCalls : detail.calls}
        </Link>
      </span>,
    ],
    ...(session.logLevel ? [[detail.logLevel, session.logLevel] satisfies FactRow] : []),
    [detail.clientCapabilities, <Capabilities key="client" of={session.clientCapabilities} />],
    [detail.serverCapabilities, <Capabilities key="server" of={session.serverCapabilities} />],
  ];
  return (
    <div className="flex flex-col gap-2">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <FactList title={detail.facts} rows={who} />
        <FactList title={detail.state} rows={what} />
      </div>
      {session.era === 'stateless' && (
        <p className="text-muted text-sm">
          {detail.stateless}{' '}
          <Link className={link} href={`/t/${tenant}/keys`}>
            {detail.toKeys}
          </Link>
          .
        </p>
      )}
    </div>
  );
}

/** The call log knows sessions by their id, and stateless clients by nothing but their server. */
function callsOf(tenant: string, { era, id, server }: SessionDetail): string {
  return withQuery(`/t/${tenant}/calls`, era === 'stateless' ? { server } : { session: id });
}

/** Names of what is declared; all of it on hover. */
function Capabilities({ of }: { of: Record<string, unknown> }) {
  const names = Object.keys(of);
  return <code title={JSON.stringify(of, null, 2)}>{names.length > 0 ? names.join(' ') : t.common.none}</code>;
}
