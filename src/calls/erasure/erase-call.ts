import { blankAnswers } from '#idempotency/idempotency-store.js';
import type { SweepCursor, SweptSlice } from '#housekeeping/retention-sweep.js';
import { Problem } from '#kernel/errors/errors.js';
import { forgetCall } from '#policy/decisions/decision-rows.js';
import type { Tx } from '#store/transaction.js';
import { lockCall, requireCall, setColumns } from '#calls/record/call-rows.js';
import { deleteToolCalls } from '#calls/talk/model-rows.js';
import { discardFile, discardObject } from '#calls/recordings/discard-object.js';
import { RecordingRow } from '#calls/recordings/recording.js';
import { deleteActions } from '#calls/live/actions/action-store.js';

/** SQL condition: life-cycle entries that name the other party of a transfer. */
const TRANSFER_ENTRIES = `type in ('transferred', 'transfer_begun', 'transfer_joined', 'transfer_failed')`;

/** Which call to erase, and when (epoch milliseconds). */
export interface ErasureOfCall {
  workspace: string;
  id: string;
  at: number;
}

/** The file of the recording, which the calling code must delete; null if the call was never recorded. */
export interface ErasedCall {
  fileName: string | null;
}

/**
 * Port to the erasure of a call in all modules, for `Calls` and the retention of calls. The batches module implements
 * it by {@link eraseCall}, and erases the call's recipient in its batch.
 */
export interface CallErasure {
  /**
   * @throws Problem `call_not_found`; `invalid_state` while the call goes on, or while a call that follows from it is
   * pending
   */
  erase(call: ErasureOfCall): Promise<ErasedCall>;
  /** The next calls past their retention period, without those whose erasure would be refused. */
  findOld(cursor: SweepCursor): Promise<SweptSlice>;
}

/**
 * Erases what the calls module stores about the people in a call; the row stays for accounting. Returns the recording's
 * file, if there ever was one, also for a call that was erased before: a repeated request then deletes a file that
 * could not be deleted the first time.
 * @throws Problem `call_not_found`; `invalid_state` while the call goes on
 */
export async function eraseCall(tx: Tx, args: ErasureOfCall): Promise<ErasedCall> {
  await lockCall(tx, args.id);
  const call = await requireCall(tx, args);
  if (call.ended_at === null) throw new Problem('invalid_state', 'The call has not ended yet.');
  const row = await tx.get(`select * from recordings where call_id = ? order by id desc limit 1`, call.id);
  const recording = row ? RecordingRow.parse(row) : null;
  const uploadJob = await tx.get(`select id from jobs where call_id = ? and kind = 'upload'`, call.id);
  await tx.run(`update recordings set status = 'deleted' where call_id = ?`, call.id);
  await tx.run('delete from transcript_entries where call_id = ?', call.id);
  await deleteToolCalls(tx, call.id);
  await deleteActions(tx, call.id);
  await tx.run('delete from events where subject_id = ?', call.id);
  await tx.run(`update call_events set data = '{}' where call_id = ? and ${TRANSFER_ENTRIES}`, call.id);
  // Entries of version 1.0: addresses of recordings at the carrier.
  await tx.run(`delete from call_events where call_id = ? and type = 'carrier_recording'`, call.id);
  for (const phoneNumber of [call.to_phone, call.from_phone]) {
    await forgetCall(tx, { workspace: call.workspace, phoneNumber, callId: call.id });
  }
  await blankAnswers(tx, call.id, ['to_phone', 'from_phone', 'to_number', 'from_number', 'digits']);
  // The jobs that delete the recording's object (`discard`) and file (`forget`) go on.
  await tx.run(`delete from jobs where call_id = ? and kind not in ('discard', 'forget')`, call.id);
  if (recording) {
    const { storage, parts } = recording;
    // An upload in progress may still create the object.
    if (uploadJob || storage === 's3' || parts > 0) await discardObject(tx, { callId: call.id, at: args.at });
    if (storage === 'local') await discardFile(tx, recording, args.at);
  }
  setColumns(tx, call.id, {
    to_phone: '',
    from_phone: '',
    name: null,
    customer_data: '{}',
    customer_context: '{}',
    metadata: '{}',
    // From now on the API shows the call as if it had never been recorded or transcribed.
    record_call: 0,
    enable_transcription: 0,
    outcome: null,
    summary: null,
    analysis: null,
    updated_at: args.at,
  });
  return { fileName: recording?.file_name ?? null };
}
