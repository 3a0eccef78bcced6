import { blankAnswers } from '../access/idempotency-store.js';
import { Problem } from '../kernel/errors.js';
import { forgetCall } from '../policy/decision-store.js';
import type { Tx } from '../store/unit.js';
import { lockCall, requireCall, setColumns } from './record/call-rows.js';
import type { CallRow } from './record/call.js';
import { forgetCarrierRecordings } from './reports/carrier-recording-entry.js';

/** A number of a batch that may be called yet, by what is kept of its first call. */
const IS_TO_BE_CALLED = `status in ('pending', 'paused', 'dialling', 'retry_wait')`;
/** Entries of the life-cycle log that tell with whom somebody was connected. */
const TELLING_ENTRIES = `type in ('transferred', 'transfer_failed')`;

/** Whether somebody will be called by what is kept of a call, in words of SQL. */
export const IS_NEEDED = `exists (select 1 from batch_recipients where call_id = calls.id
  and batch_recipients.${IS_TO_BE_CALLED})`;

/**
 * Erases what a call tells about people; the row stays for the books. Returns the recording's file, if there ever was
 * one: erasing once more deletes a file that could not be deleted before.
 * @throws Problem `call_not_found`; `invalid_state` while it goes on, or its number is to be called again
 */
export async function eraseCall(
  tx: Tx,
  args: { workspace: string; id: string; at: number },
): Promise<{ fileName: string | null }> {
  await holdBatch(tx, args.id);
  await lockCall(tx, args.id);
  const call = await requireCall(tx, args);
  if (call.ended_at === null) throw new Problem('invalid_state', 'The call has not ended yet.');
  if (call.batch_id !== null) await forgetNumber(tx, call);
  const recording = await tx.get('select file_name from recordings where call_id = ? limit 1', call.id);
  await tx.run(`update recordings set status = 'deleted' where call_id = ?`, call.id);
  await tx.run('delete from transcript_entries where call_id = ?', call.id);
  await tx.run('delete from events where subject_id = ?', call.id);
  await tx.run(`update call_events set data = '{}' where call_id = ? and ${TELLING_ENTRIES}`, call.id);
  await forgetCarrierRecordings(tx, call.id);
  for (const phoneNumber of [call.to_phone, call.from_phone]) {
    await forgetCall(tx, { workspace: call.workspace, phoneNumber, callId: call.id });
  }
  await blankAnswers(tx, call.id, ['to_phone', 'from_phone', 'to_number', 'from_number', 'digits']);
  await tx.run(`update jobs set status = 'done' where call_id = ? and status <> 'done'`, call.id);
  await setColumns(tx, call.id, {
    to_phone: '',
    from_phone: '',
    name: null,
    customer_data: '{}',
    customer_context: '{}',
    metadata: '{}',
    // What was recorded and transcribed is as if it never had been.
    record_call: 0,
    enable_transcription: 0,
    outcome: null,
    summary: null,
    analysis: null,
    updated_at: args.at,
  });
  return { fileName: recording ? String(recording['file_name']) : null };
}

/** Whoever changes the numbers of a batch holds it before anything else. */
async function holdBatch(tx: Tx, callId: string): Promise<void> {
  await tx.get(
    `select id from batches where id = (select batch_id from calls where id = ?)${tx.dialect.forUpdate}`,
    callId,
  );
}

/** A number of a batch goes with its first call, or with its last. */
async function forgetNumber(tx: Tx, { id }: CallRow): Promise<void> {
  const needed = await tx.get(`select id from calls where id = ? and ${IS_NEEDED}`, id);
  if (needed)
    throw new Problem(
      'invalid_state',
      'The batch of the call is still to call its number: cancel that first.',
    );
  await tx.run(
    `update batch_recipients set phone_number = '', name = null, label = null
     where (call_id = ? or last_call_id = ?) and not ${IS_TO_BE_CALLED}`,
    id,
    id,
  );
}
