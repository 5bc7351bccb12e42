'use client';
import type { Session } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { SearchBox } from '@/components/table/search-box';
import { Select } from '@/components/ui/input';
import { serverNamesQuery } from '@/data/servers/queries';
import { eras, sessionStates } from '@/data/sessions/filter';
import { t } from '@/strings';
import type { useSessionUrl } from './use-session-url';

const text = t.sessions;

interface SessionFiltersProps {
  tenant: string;
  url: ReturnType<typeof useSessionUrl>;
  items: readonly Session[];
}

/** Search and one choice a facet. Clients and nodes to choose from are those listed; what is chosen stays a choice. */
export function SessionFilters({ tenant, url, items }: SessionFiltersProps) {
  const { filter, setUrl } = url;
  const servers = useQuery(serverNamesQuery(tenant)).data?.items ?? [];
  const found = (of: (session: Session) => string | undefined, chosen: string | undefined) =>
    [...new Set([...items.map(of), chosen])]
      .filter((value) => value !== undefined)
      .sort()
      .map((value) => [value, value] as const);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox label={text.searchLabel} value={filter.q ?? ''} onChange={url.setSearch} />
      <Facet
        label={text.client}
        any={text.anyClient}
        value={filter.client}
        options={found(({ client }) => client.name, filter.client)}
        onChange={(client) => setUrl({ client })}
      />
      <Facet
        label={text.era}
        any={text.anyEra}
        value={filter.era}
        options={eras.map((era) => [era, text.eras[era]])}
        onChange={(era) => setUrl({ era: era as typeof filter.era })}
      />
      <Facet
        label={text.state}
        any={text.anyState}
        value={filter.state}
        options={sessionStates.map((state) => [state, text.states[state]])}
        onChange={(state) => setUrl({ state: state as typeof filter.state })}
      />
      <Facet
        label={text.server}
        any={text.anyServer}
        value={filter.server}
        options={servers.map(({ slug, name }) => [slug, name])}
        onChange={(server) => setUrl({ server })}
      />
      <Facet
        label={text.node}
        any={text.anyNode}
        value={filter.node}
        options={found(({ node }) => node, filter.node)}
        onChange={(node) => setUrl({ node })}
      />
    </div>
  );
}

interface FacetProps {
  label: string;
  any: string;
  value: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string | null) => void;
}

function Facet({ label, any, value, options, onChange }: FacetProps) {
  return (
    <Select
      className="w-[calc(50%-4px)] sm:w-36"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
    >
      <option value="">{any}</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </Select>
  );
}
