// All calls. What is asked for stands in the address, so that a view can be kept as a bookmark and sent to a colleague.
import { Link, useSearchParams } from 'wouter-preact';
import type { Query } from '../../api/client.js';
import type { Call } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { AgentLink } from '../../ui/agent-link.js';
import { CheckField, SelectField, TextField } from '../../ui/form.js';
import { clock, words } from '../../ui/format.js';
import { nameOf } from '../call/call-states.js';
import { Card, Empty, Moment, Page, Status } from '../../ui/parts.js';
import { PagedList, type Column } from '../../ui/table.js';

export const callColumns: Column<Call>[] = [
  {
    name: 'Person',
    cell: (call) => {
      const name = nameOf(call);
      const number = call.direction === 'outbound' ? call.to_phone : call.from_phone;
      return (
        <>
          <Link href={`/calls/${call.call_id}`}>{name ?? (number || 'Browser')}</Link>
          {name && <div class="quiet small">{number}</div>}
        </>
      );
    },
  },
  { name: 'State', cell: ({ status }) => <Status of={status} /> },
  { name: 'Ended by', cell: ({ ended_reason: reason }) => words(reason), isWide: true },
  {
    name: 'Agent',
    cell: (call) => <AgentLink of={call} />,
    isWide: true,
  },
  { name: 'Direction', cell: ({ direction }) => words(direction), isWide: true },
  {
    name: 'Length',
    cell: ({ duration }) => (duration > 0 ? clock(duration) : '–'),
    isNumeric: true,
    isWide: true,
  },
  { name: 'Summary', cell: ({ summary }) => <span class="clip">{summary ?? ''}</span>, isWide: true },
  { name: 'When', cell: (call) => <Moment at={call.started_at ?? call.created_at} /> },
];

const STATES = ['queued', 'connecting', 'connected', 'completed', 'failed', 'missed', 'cancelled'];

/** Views that are asked for often: what they are called, and their filters. */
const VIEWS: [string, string][] = [
  ['All', ''],
  ['Live now', 'live=true'],
  ['Needs attention', 'attention=true'],
  ['Failed', 'status=failed'],
  ['Incoming', 'direction=inbound'],
];

export function CallsPage() {
  const [search, setSearch] = useSearchParams();
  const agents = useOperation('GET /api/agents', { query: { limit: 100 } });
  const refresh = useRefresh();
  const set = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const of = (name: string): string => search.get(name) ?? '';
  const view = search.toString();
  return (
    <Page
      title="Calls"
      actions={
        <>
          {may('write') && (
            <Link class="button primary" href="/calls/new">
              New call
            </Link>
          )}
        </>
      }
    >
      <div>
        <div class="row views" role="group" aria-label="Views">
          {VIEWS.map(([name, query]) => (
            <Link
              key={name}
              class="button small"
              href={`/calls${query && `?${query}`}`}
              aria-current={view === query}
            >
              {name}
            </Link>
          ))}
        </div>
        <div class="filters">
          <TextField
            class="wide"
            label="Search"
            placeholder="Name, number or word"
            value={of('q')}
            onInput={(q) => set('q', q)}
          />
          <SelectField
            label="State"
            value={of('status')}
            onInput={(status) => set('status', status)}
            choices={[['', 'Any'], ...STATES.map((state): [string, string] => [state, words(state)])]}
          />
          <SelectField
            label="Agent"
            value={of('agent_id')}
            onInput={(agent) => set('agent_id', agent)}
            choices={[
              ['', 'Any'],
              ...(agents.data?.data ?? []).map(({ id, name }): [string, string] => [id, name]),
            ]}
          />
          <TextField label="Since" type="date" value={of('since')} onInput={(since) => set('since', since)} />
          <CheckField
            label="Needs attention"
            checked={of('attention') === 'true'}
            onInput={(isOn) => set('attention', isOn ? 'true' : '')}
          />
        </div>
        <Card flush>
          <PagedList
            label="Calls"
            operation="GET /api/calls"
            query={queryOf(search)}
            refreshMs={refresh}
            keyOf={({ id }) => id}
            columns={callColumns}
            empty={<NoCalls isFiltered={view !== ''} />}
          />
        </Card>
      </div>
    </Page>
  );
}

function queryOf(search: URLSearchParams): Query<'GET /api/calls'> {
  const { since, ...rest } = Object.fromEntries(search);
  const created = since ? { created_after: new Date(`${since}T00:00`).toISOString() } : {};
  return { ...rest, ...created, limit: 50 };
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No call fits">
        <p>No call has all of these properties.</p>
        <Link class="button" href="/calls">
          Show all calls
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No calls yet">
      <p>Talk to an agent with your own microphone, or have one call a number of the sandbox network.</p>
      <div class="row">
        <Link class="button primary" href="/talk">
          Talk to an agent
        </Link>
        <Link class="button" href="/calls/new">
          Call a number
        </Link>
      </div>
    </Empty>
  );
}
