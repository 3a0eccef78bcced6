import type { Batch } from '../../api/contract.js';

type Counts = Pick<
  Batch,
  | 'total_numbers'
  | 'successfully_called'
  | 'failed_calls'
  | 'live_calls'
  | 'skipped_calls'
  | 'cancelled_calls'
  | 'pending_calls'
>;

/** How far a batch is: one bar, each outcome a part of it. */
export function Funnel({ batch }: { batch: Counts }) {
  const parts: [string, number, string][] = [
    ['reached', batch.successfully_called, 'good'],
    ['failed', batch.failed_calls, 'bad'],
    ['live', batch.live_calls, 'live'],
    ['skipped', batch.skipped_calls + batch.cancelled_calls, 'warn'],
    ['waiting', batch.pending_calls, 'rest'],
  ];
  const label = parts.map(([name, amount]) => `${amount} ${name}`).join(', ');
  return (
    <div class="funnel" role="img" aria-label={label} title={label}>
      {parts.map(([name, amount, tone]) => (
        <i
          key={name}
          class={tone}
          style={{ width: `${(amount / Math.max(1, batch.total_numbers)) * 100}%` }}
        />
      ))}
    </div>
  );
}
