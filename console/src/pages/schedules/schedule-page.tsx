import { Link, useLocation } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { momentIn, words } from '../../ui/format.js';
import { Card, Empty, Facts, Loaded, Moment, Page, Status } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';
import { Next, rhythmOf } from './schedules-page.js';

type Schedule = Schemas['ScheduledCall'];

export function SchedulePage({ params }: PageProps) {
  const path = { schedule_id: params['id'] ?? '' };
  const schedule = useOperation('GET /api/scheduled-calls/{schedule_id}', { path }, useRefresh());
  return <Loaded from={schedule}>{(data) => <ScheduleView schedule={data} />}</Loaded>;
}

function ScheduleView({ schedule }: { schedule: Schedule }) {
  const isOver = ['completed', 'failed', 'cancelled'].includes(schedule.status);
  return (
    <Page
      title={schedule.name ?? schedule.phone_number}
      over={['/schedules', 'Schedules']}
      lead={
        <>
          <Status of={schedule.status} /> {rhythmOf(schedule)}
        </>
      }
      actions={may('write') && <ScheduleActions schedule={schedule} isOver={isOver} />}
    >
      <div class="columns">
        <Card title="Plan">
          <Facts
            of={[
              ['Next run', <Next key="n" schedule={schedule} />],
              [
                'Number',
                <Link key="l" href={`/numbers/${encodeURIComponent(schedule.phone_number)}`}>
                  {schedule.phone_number}
                </Link>,
              ],
              ['Agent', schedule.agent_name],
              ['Time zone', schedule.timezone],
              ['Cron', schedule.cron_expression],
              [
                'Runs so far',
                `${schedule.occurrences}${schedule.max_occurrences ? ` of ${schedule.max_occurrences}` : ''}`,
              ],
              ['Description', schedule.description],
            ]}
          />
        </Card>
        {!isOver && schedule.type === 'recurring' && <NextRuns schedule={schedule} />}
      </div>
      <History schedule={schedule} />
    </Page>
  );
}

function History({ schedule }: { schedule: Schedule }) {
  const history = useOperation(
    'GET /api/scheduled-calls/{schedule_id}/history',
    { path: { schedule_id: schedule.id }, query: { limit: 100 } },
    useRefresh(),
  );
  return (
    <Card title="History" flush>
      <Loaded from={history}>
        {({ executions }) =>
          executions.length === 0 ? (
            <Empty title="It has not run yet">
              <p>Each run shows here with its call. “Run now” does not wait for the next one.</p>
            </Empty>
          ) : (
            <Table
              label="History of this schedule"
              items={executions}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Planned for',
                  cell: ({ scheduled_time: at, call_id: callId }) =>
                    callId ? (
                      <Link href={`/calls/${callId}`}>{momentIn(at, schedule.timezone)}</Link>
                    ) : (
                      momentIn(at, schedule.timezone)
                    ),
                },
                { name: 'Outcome', cell: ({ status }) => <Status of={status} /> },
                { name: 'Why', cell: ({ reason, error }) => error ?? words(reason) },
                { name: 'Begun', cell: ({ actual_time: at }) => <Moment at={at} />, isWide: true },
                { name: 'By', cell: ({ trigger }) => words(trigger), isWide: true },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function NextRuns({ schedule }: { schedule: Schedule }) {
  const runs = useOperation('GET /api/scheduled-calls/{schedule_id}/next-runs', {
    path: { schedule_id: schedule.id },
    query: { count: 8 },
  });
  return (
    <Card title="Coming runs">
      <Loaded from={runs}>
        {({ next_executions: coming }) => (
          <ol class="plain-list">
            {coming.map((run) => (
              <li key={run.utc}>{momentIn(run.utc, schedule.timezone)}</li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

function ScheduleActions({ schedule, isOver }: { schedule: Schedule; isOver: boolean }) {
  const [, navigate] = useLocation();
  const path = { schedule_id: schedule.id };
  const after = (text: string): string => {
    invalidate('/api/scheduled-calls');
    return text;
  };
  if (isOver) return null;
  return (
    <>
      <ActionButton
        perform={async () => {
          await request('POST /api/scheduled-calls/{schedule_id}/trigger', { path });
          return after('It is being called now.');
        }}
      >
        Run now
      </ActionButton>
      {schedule.status === 'paused' ? (
        <ActionButton
          class="primary"
          perform={async () => {
            await request('POST /api/scheduled-calls/{schedule_id}/resume', { path });
            return after('The schedule goes on.');
          }}
        >
          Go on
        </ActionButton>
      ) : (
        <ActionButton
          perform={async () => {
            await request('POST /api/scheduled-calls/{schedule_id}/pause', { path });
            return after('The schedule is paused.');
          }}
        >
          Pause
        </ActionButton>
      )}
      <ActionButton
        class="danger"
        confirm={{
          title: 'Cancel this schedule?',
          text: 'No further call is placed by it. Its history stays.',
          label: 'Cancel the schedule',
        }}
        perform={async () => {
          await request('DELETE /api/scheduled-calls/{schedule_id}', { path });
          navigate('/schedules');
          return after('The schedule is cancelled.');
        }}
      >
        Cancel
      </ActionButton>
    </>
  );
}
