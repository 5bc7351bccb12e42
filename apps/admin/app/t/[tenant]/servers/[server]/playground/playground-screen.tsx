'use client';
import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { NothingToSee } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { ProblemView } from '@/components/page/problem-callout';
import { Badge } from '@/components/ui/badge';
import { Segmented } from '@/components/ui/segmented';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { useConnection } from './_client/use-connection';
import { NotificationsTab } from './_tabs/notifications-tab';
import { PromptsTab } from './_tabs/prompts-tab';
import { ResourcesTab } from './_tabs/resources-tab';
import { ToolsTab } from './_tabs/tools-tab';
import { ConnectBar } from './connect-bar';
import { OpenQuestions } from './open-questions';
import { TracePanel } from './trace-panel';
import { tabNames, urlKeys } from './url';

const text = t.playground;

interface PlaygroundScreenProps {
  tenant: string;
  server: string;
  /** The one other origin that this page may reach. */
  endpointOrigin: string | undefined;
}

/** A client of one server: connect, call, answer, and see every message. */
export function PlaygroundScreen({ tenant, server, endpointOrigin }: PlaygroundScreenProps) {
  const info = useQuery(tenantQuery(tenant)).data;
  const [url, setUrl] = useQueryStates(urlKeys);
  const playground = useConnection(tenant, server, endpointOrigin);
  const { status, questions, heard, trace } = playground;
  const connection = status.is === 'on' ? status.connection : undefined;
  if (info && !may(info, 'tools:try')) {
    return (
      <div className="flex flex-col gap-5">
        <PageHeader title={text.title} description={text.hint} />
        <NothingToSee title={text.noPermission}>{text.noPermissionText}</NothingToSee>
      </div>
    );
  }
  const named = connection?.client.getServerVersion();
  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title={text.title}
        description={text.hint}
        facts={
          connection ? (
            <Badge tone="ok">{named ? text.serverIs(named.name, named.version) : text.connected}</Badge>
          ) : (
            status.is === 'off' && status.closed && <Badge>{text.closed}</Badge>
          )
        }
      />
      <ConnectBar
        url={url}
        setUrl={setUrl}
        status={status}
        onConnect={() => playground.open(url.era, url.caps, url.level)}
        onDisconnect={playground.close}
      />
      {status.is === 'off' && status.problem && <ProblemView problem={status.problem} />}
      <div className="grid items-start gap-x-6 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(400px,520px)]">
        <div className="flex min-w-0 flex-col gap-4">
          {connection ? (
            <>
              <Segmented
                label={text.sections}
                value={url.tab}
                onChange={(tab) => setUrl({ tab })}
                options={tabNames.map((value) => ({ value, label: text.tabs[value] }))}
              />
              {url.tab === 'tools' && <ToolsTab connection={connection} playground={playground} />}
              {url.tab === 'resources' && <ResourcesTab connection={connection} playground={playground} />}
              {url.tab === 'prompts' && <PromptsTab connection={connection} playground={playground} />}
              {url.tab === 'notifications' && (
                <>
                  <OpenQuestions questions={questions} />
                  <NotificationsTab heard={heard} />
                </>
              )}
            </>
          ) : (
            <section className="rounded-lg border border-dashed bg-surface px-6 py-8">
              <h2 className="font-semibold text-base">{text.notConnected}</h2>
              <p className="mt-1 max-w-xl text-muted text-sm">
                {url.tool ? text.waiting(url.tool) : text.notConnectedText}
              </p>
            </section>
          )}
        </div>
        <TracePanel trace={trace} />
      </div>
    </div>
  );
}
