import { defineUnits, type Tx } from '../store/unit.js';
import { IS_NEEDED } from './erase-call.js';

/** A slice of rows in the order of their ids, which is that of their making. */
export interface Walked {
  /** Those of them that are too old. */
  found: { workspace: string; callId: string }[];
  /** Where to go on; null at the end. */
  after: string | null;
}

interface Walk {
  after: string;
  /** Epoch milliseconds. */
  before: number;
  limit: number;
}

/** What an erasure leaves of a call; see `eraseCall`. */
const IS_ERASED = `to_phone = '' and from_phone = '' and name is null and customer_data = '{}'
  and customer_context = '{}' and metadata = '{}' and record_call = 0 and enable_transcription = 0
  and outcome is null and summary is null and analysis is null`;

export const callRetentionUnits = defineUnits('call_retention', {
  /** Recordings that can be heard and were begun before an instant. */
  recordings(tx, args: Walk): Promise<Walked> {
    return walk(tx, args, {
      columns: 'id, created_at, workspace, call_id',
      table: 'recordings',
      isTooOld: `status = 'ready' and created_at < ?`,
    });
  },

  /** Calls that ended before an instant and still tell of people, unless somebody will be called by what they tell. */
  calls(tx, args: Walk): Promise<Walked> {
    return walk(tx, args, {
      columns: 'id, created_at, workspace, id as call_id',
      table: 'calls',
      isTooOld: `ended_at < ? and not (${IS_ERASED}) and (batch_id is null or not ${IS_NEEDED})`,
    });
  },
});

async function walk(
  tx: Tx,
  { after, before, limit }: Walk,
  { columns, table, isTooOld }: { columns: string; table: string; isTooOld: string },
): Promise<Walked> {
  const rows = await tx.all(
    `select ${columns}, case when ${isTooOld} then 1 else 0 end as is_too_old from ${table}
     where id > ? order by id limit ?`,
    before,
    after,
    limit,
  );
  // Whatever was made later cannot be too old, nor can what follows it.
  const made = rows.filter((row) => Number(row['created_at']) < before);
  const found = made
    .filter((row) => row['is_too_old'] === 1)
    .map((row) => ({ workspace: String(row['workspace']), callId: String(row['call_id']) }));
  const isLast = made.length < limit;
  return { found, after: isLast ? null : String(made.at(-1)!['id']) };
}
