// A batch while it runs and after: how far it is, who was reached, and what may be done about the rest.
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request, type Query } from '../../api/client.js';
import type { Batch } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { SelectField } from '../../ui/form.js';
import { clock, count, dollars, percent, plural, words } from '../../ui/format.js';
import { Card, Empty, Loaded, Moment, Page, Status, Tile } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { Funnel } from './funnel.js';

const OVER = ['completed', 'failed', 'cancelled', 'canceled'];

export function BatchPage({ params }: PageProps) {
  const path = { batch_id: params['id'] ?? '' };
  const batch = useOperation('GET /api/batches/{batch_id}', { path }, useRefresh());
  return <Loaded from={batch}>{(data) => <BatchView batch={data} />}</Loaded>;
}

function BatchView({ batch }: { batch: Batch }) {
  const done = batch.total_numbers - batch.pending_calls - batch.live_calls;
  return (
    <Page
      title={batch.name}
      over={['/batches', 'Batches']}
      lead={
        <>
          <Status of={batch.status} /> <Link href={`/agents/${batch.agent_id}`}>{batch.agent_name}</Link> ·
          begins <Moment at={batch.scheduled_at} />
          {batch.call_window &&
            ` · between ${batch.call_window.start} and ${batch.call_window.end} of the people called`}
        </>
      }
      actions={<BatchActions batch={batch} />}
    >
      {batch.pause_reason && (
        <p class="notice warn">
          Paused: {batch.pause_reason}. Look at the failed calls below, then let it go on or cancel it.
        </p>
      )}
      {batch.error && <p class="notice bad">{batch.error}</p>}
      <Card>
        <div class="stack tight">
          <Funnel batch={batch} />
          <span class="quiet" role="status">
            {plural(done, 'number')} of {count(batch.total_numbers)} done
          </span>
        </div>
      </Card>
      <div class="tiles">
        <Tile name="Reached" value={count(batch.successfully_called)} />
        <Tile name="Failed" value={count(batch.failed_calls)} />
        <Tile name="Live" value={`${count(batch.live_calls)} of ${count(batch.max_concurrency)}`} />
        <Tile name="Waiting" value={count(batch.pending_calls)} />
        <Tile name="Skipped" value={count(batch.skipped_calls)} />
        <Tile
          name="Success"
          value={percent(batch.success_rate > 1 ? batch.success_rate / 100 : batch.success_rate)}
        />
        <Tile name="Mean length" value={clock(batch.avg_duration_seconds)} />
        <Tile name="Cost" value={dollars(batch.cost_usd)} />
      </div>
      <People batch={batch} />
    </Page>
  );
}

function BatchActions({ batch }: { batch: Batch }) {
  const path = { batch_id: batch.id };
  const isOver = OVER.includes(batch.status);
  const after = (text: string): string => {
    invalidate('/api/batches');
    return text;
  };
  return (
    <>
      <a class="button" href={`/api/batches/${batch.id}/results.csv`} download>
        Results as CSV
      </a>
      {may('write') && !isOver && batch.status !== 'paused' && (
        <ActionButton
          perform={async () => {
            await request('POST /api/batches/{batch_id}/pause', { path });
            return after('No further call begins; those that are going on end by themselves.');
          }}
        >
          Pause
        </ActionButton>
      )}
      {may('write') && batch.status === 'paused' && (
        <ActionButton
          class="primary"
          perform={async () => {
            await request('POST /api/batches/{batch_id}/resume', { path });
            return after('The batch goes on.');
          }}
        >
          Go on
        </ActionButton>
      )}
      {may('write') && batch.failed_calls > 0 && (
        <ActionButton
          perform={async () => {
            const { requeued } = await request('POST /api/batches/{batch_id}/retry-failed', { path });
            return after(`${plural(requeued, 'number')} are called again.`);
          }}
        >
          Try the failed again
        </ActionButton>
      )}
      {may('write') && !isOver && (
        <ActionButton
          class="danger"
          confirm={{
            title: 'Cancel this batch?',
            text: `${plural(batch.pending_calls, 'number')} will not be called. Calls that are going on end by themselves.`,
            label: 'Cancel the batch',
          }}
          perform={async () => {
            await request('POST /api/batches/{batch_id}/cancel', { path });
            return after('The batch is cancelled.');
          }}
        >
          Cancel
        </ActionButton>
      )}
    </>
  );
}

function People({ batch }: { batch: Batch }) {
  const [status, setStatus] = useState('');
  const query = {
    limit: 50,
    ...(status === '' ? {} : { status: [status] }),
  } as Query<'GET /api/batches/{batch_id}/calls'>;
  return (
    <Card
      title="People"
      flush
      actions={
        <SelectField
          label="State"
          hiddenLabel
          value={status}
          onInput={setStatus}
          choices={[
            ['', 'All'],
            ...['scheduled', 'in_progress', 'completed', 'failed', 'cancelled'].map(
              (one): [string, string] => [one, words(one)],
            ),
          ]}
        />
      }
    >
      <PagedList
        label="People of this batch"
        operation="GET /api/batches/{batch_id}/calls"
        path={{ batch_id: batch.id }}
        query={query}
        refreshMs={useRefresh()}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Person',
            cell: (person) => (
              <>
                {person.last_call_id ? (
                  <Link href={`/calls/${person.last_call_id}`}>{person.callee_name ?? person.to_number}</Link>
                ) : (
                  (person.callee_name ?? person.to_number)
                )}
                {person.callee_name && <div class="quiet small">{person.to_number}</div>}
              </>
            ),
          },
          { name: 'State', cell: (person) => <Status of={person.status} /> },
          { name: 'Why', cell: ({ reason, error }) => error ?? words(reason), isWide: true },
          { name: 'Attempts', cell: ({ attempts }) => attempts, isNumeric: true, isWide: true },
          { name: 'Length', cell: ({ duration }) => (duration ? clock(duration) : '–'), isNumeric: true },
          { name: 'When', cell: ({ scheduled_at: at }) => <Moment at={at} />, isWide: true },
          {
            name: 'Number',
            cell: ({ to_number: number }) => (
              <Link href={`/numbers/${encodeURIComponent(number)}`}>Why?</Link>
            ),
          },
        ]}
        empty={
          <Empty title="No person is in this state">
            <p>Choose another state above.</p>
          </Empty>
        }
      />
    </Card>
  );
}
