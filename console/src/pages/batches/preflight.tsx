// What a batch would do, before it is started.
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/openapi.js';
import { Bars } from '../../ui/bars.js';
import { count, dollars, moment, plural, words } from '../../ui/format.js';
import { Card, Moment, Tile } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';

type Ahead = Schemas['BatchPreflight'];
type Row = Ahead['suppressed']['rows'][number];

const GROUPS = [
  ['suppressed', 'want no calls'],
  ['refused', 'may not be called'],
  ['duplicates', 'are in the table twice'],
  ['deferred', 'are called later'],
] as const;

export function Preflight({ ahead, children }: { ahead: Ahead; children: ComponentChildren }) {
  const { assumptions } = ahead;
  return (
    <Card title="What would happen">
      <div class="stack">
        <div class="tiles">
          <Tile name="Called" value={`${count(ahead.callable_numbers)} of ${count(ahead.total_numbers)}`} />
          <Tile name="First call" value={moment(ahead.first_call_at)} />
          <Tile name="Finished" value={moment(ahead.projected_finish)} />
          <Tile name="Most at once" value={count(ahead.peak_concurrency)} />
          <Tile name="Expected cost" value={dollars(ahead.expected_cost_usd)} />
        </div>
        {ahead.invalid.count > 0 && (
          <p class="notice warn">{plural(ahead.invalid.count, 'row')} cannot be read and are left out.</p>
        )}
        {GROUPS.map(([key, what]) => (
          <Skipped key={key} group={ahead[key]} what={what} isLater={key === 'deferred'} />
        ))}
        {ahead.hours.length > 0 && (
          <div class="stack tight">
            <h3>Hour by hour</h3>
            <Bars
              label="Calls of each hour"
              bars={ahead.hours.map(({ starts_at: at, calls }) => ({ at, value: calls }))}
            />
          </div>
        )}
        <p class="quiet small">
          Reckoned with {assumptions.talk_seconds} s of talk and {assumptions.ring_seconds} s of ringing a
          call,{' '}
          {assumptions.calls_looked_at > 0
            ? `from ${plural(assumptions.calls_looked_at, 'earlier call')}`
            : 'as there are no earlier calls'}
          , {plural(assumptions.max_concurrency, 'call')} at once.
        </p>
        <div>{children}</div>
      </div>
    </Card>
  );
}

function Skipped({
  group,
  what,
  isLater,
}: {
  group: { count: number; rows: Row[] };
  what: string;
  isLater: boolean;
}) {
  if (group.count === 0) return null;
  return (
    <details>
      <summary>
        {plural(group.count, 'number')} {what}
      </summary>
      <Table
        label={`Numbers that ${what}`}
        items={group.rows}
        keyOf={({ row, phone_number: number }) => `${row}${number}`}
        columns={[
          { name: 'Row', cell: ({ row }) => row },
          { name: 'Number', cell: ({ phone_number: number }) => number },
          { name: 'Why', cell: ({ reason, message }) => message || words(reason) },
          ...(isLater ? [{ name: 'Until', cell: ({ until }: Row) => <Moment at={until} /> }] : []),
        ]}
      />
      {group.rows.length < group.count && <p class="quiet small">These are the first {group.rows.length}.</p>}
    </details>
  );
}
