// The last day and the last month at a glance; every number leads to its calls.
import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { count, milliseconds } from '../../ui/format.js';
import { Card, Empty, Loaded, Page, Tile } from '../../ui/parts.js';
import { Bars } from '../../ui/bars.js';
import { Table } from '../../ui/table.js';
import { callColumns } from '../calls/calls-page.js';

type Counts = Schemas['Overview']['totals'];

const DAYS = 30;

export function OverviewPage() {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const overview = useOperation('GET /api/overview', { query: { days: DAYS, timezone } }, useRefresh());
  return (
    <Page
      title="Overview"
      actions={
        <Link class="button primary" href="/talk">
          Talk to an agent
        </Link>
      }
    >
      <Loaded from={overview}>
        {({ totals, by_day: days }) => {
          const today = days.at(-1);
          if (totals.dialled === 0) return <FirstSteps />;
          return (
            <>
              {today && <Numbers name="Today" counts={today} since={today.date} />}
              <Numbers name={`The last ${DAYS} days`} counts={totals} since={days[0]?.date ?? ''} />
              <Card title="Calls a day">
                <Bars
                  label="Calls of each day, with those that need attention"
                  bars={days.map(({ date, dialled, alarms }) => ({
                    at: date,
                    value: dialled,
                    second: alarms,
                  }))}
                  secondName="need attention"
                />
              </Card>
            </>
          );
        }}
      </Loaded>
      <Latest />
    </Page>
  );
}

function Numbers({ name, counts, since }: { name: string; counts: Counts; since: string }) {
  const calls = `/calls?since=${since}`;
  return (
    <section class="stack tight">
      <h2>{name}</h2>
      <div class="tiles">
        <Tile name="Dialled" value={count(counts.dialled)} href={calls} />
        <Tile name="Answered" value={count(counts.answered)} href={`${calls}&status=completed`} />
        <Tile name="By a person" value={count(counts.human)} href={`${calls}&status=completed`} />
        <Tile name="With success" value={count(counts.success)} href={`${calls}&attention=false`} />
        <Tile name="Need attention" value={count(counts.alarms)} href={`${calls}&attention=true`} />
        <Tile name="Reply, p95" value={milliseconds(counts.reply_p95_ms)} href={calls} />
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
