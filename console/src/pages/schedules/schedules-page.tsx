import { Link } from 'wouter-preact';
import { useState } from 'preact/hooks';
import type { Query } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { SelectField } from '../../ui/form.js';
import { count, fromNow, momentIn, wholeMoment, words } from '../../ui/format.js';
import { Card, Empty, Loaded, Page, Status } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';

type Schedule = Schemas['ScheduledCall'];

export function SchedulesPage() {
  const [status, setStatus] = useState('');
  const refresh = useRefresh();
  const query = {
    limit: 50,
    ...(status === '' ? {} : { status: [status] }),
  } as Query<'GET /api/scheduled-calls'>;
  return (
    <Page
      title="Schedules"
      lead="Calls at a time, once or again and again, in the local time of whom they are for."
      actions={
        may('write') && (
          <Link class="button primary" href="/schedules/new">
            New schedule
          </Link>
        )
      }
    >
      <Health />
      <Coming />
      <Card
        title="All schedules"
        flush
        actions={
          <SelectField
            label="State"
            hiddenLabel
            value={status}
            onInput={setStatus}
            choices={[
              ['', 'All'],
              ...['scheduled', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'].map(
                (one): [string, string] => [one, words(one)],
              ),
            ]}
          />
        }
      >
        <PagedList
          label="Schedules"
          operation="GET /api/scheduled-calls"
          query={query}
          refreshMs={refresh}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Schedule',
              cell: (schedule) => (
                <>
                  <Link href={`/schedules/${schedule.id}`}>{schedule.name ?? schedule.phone_number}</Link>
                  <div class="quiet small">{rhythmOf(schedule)}</div>
                </>
              ),
            },
            { name: 'State', cell: (schedule) => <Status of={schedule.status} /> },
            { name: 'Next run', cell: (schedule) => <Next schedule={schedule} /> },
            { name: 'Runs', cell: ({ occurrences }) => count(occurrences), isNumeric: true, isWide: true },
            {
              name: 'Last one',
              cell: ({ last_status: last }) => (last ? <Status of={last} /> : '–'),
              isWide: true,
            },
            { name: 'Agent', cell: ({ agent_name: agent }) => agent ?? '–', isWide: true },
          ]}
          empty={
            <Empty title="No schedules">
              <p>Have an agent call somebody tomorrow at nine, or every weekday.</p>
              <Link class="button primary" href="/schedules/new">
                Make a schedule
              </Link>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

export function rhythmOf({
  type,
  cron_description: description,
  cron_expression: cron,
  phone_number: number,
}: Schedule): string {
  return type === 'recurring' ? `${description ?? cron}, ${number}` : `once, ${number}`;
}

/** In the zone of the schedule; the reader's own stands in the title. */
export function Next({ schedule }: { schedule: Schedule }) {
  const at = schedule.next_execution_time ?? schedule.scheduled_at;
  if (!at || ['completed', 'failed', 'cancelled'].includes(schedule.status))
    return <span class="quiet">none</span>;
  return (
    <time dateTime={at} title={`${wholeMoment(at)} where you are`}>
      {momentIn(at, schedule.timezone)}
      <span class="quiet small"> {fromNow(at)}</span>
      {schedule.dst_adjusted && <span class="badge warn">clock change</span>}
    </time>
  );
}

function Health() {
  const health = useOperation('GET /api/scheduler/health', {}, useRefresh());
  if (!health.data || health.data.status === 'healthy') return null;
  return (
    <p class="notice warn">
      The scheduler is {health.data.status}: it is {Math.round(health.data.lag_ms / 1000)} s behind.
    </p>
  );
}

const DAYS_AHEAD = 7;
const DAY_MS = 86_400_000;

/** The next week, day by day. */
function Coming() {
  const schedules = useOperation('GET /api/scheduled-calls', {
    query: { limit: 100, status: ['scheduled'] },
  });
  return (
    <Loaded from={schedules}>
      {({ data }) => {
        const runs = data
          .flatMap((schedule) =>
            (schedule.next_executions ?? [schedule.next_execution_time ?? schedule.scheduled_at]).flatMap(
              (at) => (at ? [{ schedule, at }] : []),
            ),
          )
          .sort((one, other) => one.at.localeCompare(other.at));
        if (runs.length === 0) return null;
        const today = new Date();
        today.setHours(0, 0, 0, 0);
        const days = Array.from(
          { length: DAYS_AHEAD },
          (_, index) => new Date(today.getTime() + index * DAY_MS),
        );
        return (
          <Card title="Next runs of the coming week">
            <div class="calendar">
              {days.map((day) => (
                <section key={day.getTime()}>
                  <h3>
                    {new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' }).format(day)}
                  </h3>
                  <ul class="plain-list small">
                    {runs
                      .filter(({ at }) => new Date(at).toDateString() === day.toDateString())
                      .slice(0, 6)
                      .map(({ schedule, at }) => (
                        <li key={schedule.id + at}>
                          <Link href={`/schedules/${schedule.id}`}>
                            {new Date(at).toTimeString().slice(0, 5)} {schedule.name ?? schedule.phone_number}
                          </Link>
                        </li>
                      ))}
                  </ul>
                </section>
              ))}
            </div>
          </Card>
        );
      }}
    </Loaded>
  );
}
