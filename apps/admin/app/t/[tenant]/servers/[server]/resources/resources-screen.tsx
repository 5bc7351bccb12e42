'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { PageHeader } from '@/components/page/page-header';
import { ListPanel } from '@/components/table/list-panel';
import { WithPreview } from '@/components/table/with-preview';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/segmented';
import { resourcesQuery, templatesQuery } from '@/data/resources/resources';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { ResourcePreview } from './_preview/resource-preview';
import { ResourcesTable, TemplatesTable } from './resources-tables';

const text = t.resources.list;
const lists = ['resources', 'templates'] as const;
const urlKeys = {
  list: parseAsStringLiteral(lists).withDefault('resources'),
  q: parseAsString.withDefault(''),
  view: parseAsString,
};

/** The two lists a client sees, of single resources and of templates, with a preview beside them. */
export function ResourcesScreen({ tenant, server }: { tenant: string; server: string }) {
  const base = `/t/${tenant}/servers/${server}/resources`;
  const info = useQuery(tenantQuery(tenant)).data;
  const resources = useQuery(resourcesQuery(tenant, server));
  const templates = useQuery(templatesQuery(tenant, server));
  const [url, setUrl] = useQueryStates(urlKeys);
  const ofTemplates = url.list === 'templates';
  const mayWrite = may(info, 'servers:write');
  const create = mayWrite && (
    <Button asChild variant="primary">
      <Link href={ofTemplates ? `${base}/templates/new` : `${base}/new`}>
        <Plus /> {ofTemplates ? text.createTemplate : text.create}
      </Link>
    </Button>
  );
  const viewed = ofTemplates
    ? templates.data?.items.find((template) => template.uriTemplate === url.view)
    : resources.data?.items.find((resource) => resource.uri === url.view);
  const shared = {
    create,
    search: url.q,
    onSearch: (q: string | null) => setUrl({ q }),
    onClear: () => setUrl({ q: null }),
  };
  const onView = (view: string | null) => setUrl({ view });
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={create} />
      <Segmented
        label={text.title}
        value={url.list}
        onChange={(list) => setUrl({ list, view: null, q: null })}
        options={lists.map((value) => ({ value, label: text[value].title }))}
      />
      <WithPreview
        label={t.resources.preview.title}
        preview={
          viewed &&
          url.view !== null && (
            <ResourcePreview
              key={url.view}
              tenant={tenant}
              server={server}
              uri={url.view}
              complete={'uriTemplate' in viewed ? (viewed.complete ?? {}) : undefined}
              stored
              mayTry={may(info, 'tools:try')}
              title={t.resources.preview.of(url.view)}
              actions={
                <Button variant="ghost" size="icon-sm" aria-label={t.common.close} onClick={() => onView(null)}>
                  <X />
                </Button>
              }
            />
          )
        }
      >
        {ofTemplates ? (
          <ListPanel
            {...shared}
            words={text.templates}
            query={templates}
            visible={(items) => items.filter((item) => holds(url.q, item.uriTemplate, item))}
            counted={text.templates.counted}
          >
            {(rows) => <TemplatesTable base={base} items={rows} viewed={url.view} onView={onView} />}
          </ListPanel>
        ) : (
          <ListPanel
            {...shared}
            words={text.resources}
            query={resources}
            visible={(items) => items.filter((item) => holds(url.q, item.uri, item))}
            counted={text.resources.counted}
          >
            {(rows) => <ResourcesTable base={base} items={rows} viewed={url.view} onView={onView} />}
          </ListPanel>
        )}
      </WithPreview>
    </div>
  );
}

interface Named {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

const holds = (search: string, uri: string, { name, title, description, mimeType }: Named) =>
  [uri, name, title, description, mimeType].join(' ').toLowerCase().includes(search.toLowerCase());
