// The last day and the last month at a glance; every number leads to its calls.
import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { count, milliseconds, percent } from '../../ui/format.js';
import { Card, Empty, Loaded, Page, Tile } from '../../ui/parts.js';
import { Bars } from '../../ui/bars.js';
import { Table } from '../../ui/table.js';
import { callColumns } from '../calls/calls-page.js';

type Stats = Schemas['CallStats'];

export function OverviewPage() {
  const refresh = useRefresh();
  const day = useOperation('GET /api/stats', { query: { window: '24h' } }, refresh);
  const month = useOperation('GET /api/stats', { query: { window: '30d' } }, refresh);
  return (
    <Page
      title="Overview"
      actions={
        <Link class="button primary" href="/talk">
          Talk to an agent
        </Link>
      }
    >
      <Loaded from={month}>
        {(stats) =>
          stats.calls_total === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <Loaded from={day}>{(today) => <Numbers name="The last 24 hours" stats={today} />}</Loaded>
              <Numbers name="The last 30 days" stats={stats} />
              <Card title="Calls a day">
                <Bars
                  label="Calls of each day, with those that failed"
                  bars={stats.series.map(({ t, calls, failed }) => ({ at: t, value: calls, second: failed }))}
                />
              </Card>
            </>
          )
        }
      </Loaded>
      <Latest />
    </Page>
  );
}

function Numbers({ name, stats }: { name: string; stats: Stats }) {
  const since = `since=${stats.since.slice(0, 10)}`;
  return (
    <section class="stack tight">
      <h2>{name}</h2>
      <div class="tiles">
        <Tile name="Calls" value={count(stats.calls_total)} href={`/calls?${since}`} />
        <Tile name="Live now" value={count(stats.calls_live)} href="/live" />
        <Tile name="Answered" value={percent(stats.answer_rate)} href={`/calls?${since}&status=completed`} />
        <Tile name="Failed" value={count(stats.by_status.failed)} href={`/calls?${since}&status=failed`} />
        <Tile name="Missed" value={count(stats.by_status.missed)} href={`/calls?${since}&status=missed`} />
        <Tile name="Reply, p50" value={milliseconds(stats.p50_response_ms)} href={`/calls?${since}`} />
        <Tile
          name="Reply, p95"
          value={milliseconds(stats.p95_response_ms)}
          href={`/calls?${since}&attention=true`}
        />
        <Tile
          name="Mean length"
          value={stats.avg_duration === null ? '–' : `${Math.round(stats.avg_duration)} s`}
          href={`/calls?${since}`}
        />
      </div>
    </section>
  );
}

function Latest() {
  const calls = useOperation('GET /api/calls', { query: { limit: 8 } }, useRefresh());
  return (
    <Loaded from={calls}>
      {({ data }) =>
        data.length > 0 && (
          <Card title="Latest calls" flush actions={<Link href="/calls">All calls</Link>}>
            <Table label="Latest calls" items={data} keyOf={({ id }) => id} columns={callColumns} />
          </Card>
        )
      }
    </Loaded>
  );
}

function FirstSteps() {
  return (
    <Card>
      <Empty title="No calls yet">
        <p>Talk to the demonstration agent now, make one of your own, or see what is still to be set up.</p>
        <div class="row">
          <Link class="button primary" href="/talk">
            Talk to an agent
          </Link>
          <Link class="button" href="/agents/new">
            Make an agent
          </Link>
          <Link class="button" href="/setup">
            Setup
          </Link>
        </div>
      </Empty>
    </Card>
  );
}
