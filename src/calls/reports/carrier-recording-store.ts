import { defineTransactions, type Tx } from '#store/transaction.js';
import type { CarrierRecording } from '#telephony/port/carrier-recording.js';
import type { CallRow } from '#calls/record/call.js';
import { lockCall } from '#calls/record/call-rows.js';
import {
  CARRIER_RECORDING,
  CarrierRecordingEntry,
  fillIn,
  isSameRecording,
  toEntry,
} from './carrier-recording-entry.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { CallEvent } from '#calls/talk/talk-rows.js';

/**
 * The limit of stored recordings per call, above what a carrier makes. A log is read as a whole, so it must stay short.
 */
const MAX_PER_CALL = 50;

/** The transactions of `CarrierReports` about recordings at the carrier. */
export const carrierRecordingTransactions = defineTransactions('carrier_recordings', {
  /**
   * Stores a report about a recording at the carrier. If the recording is known, the report only fills gaps, and the
   * state stays. An erased call stores nothing.
   */
  async keep(tx, args: { callId: string; recording: CarrierRecording; at: number }): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (!call || isErased(call)) return;
    const reported = toEntry(args.recording);
    const entries = await entriesOf(tx, call.id);
    const known = entries.find(({ entry }) => isSameRecording(entry, reported));
    if (known) return rewrite(tx, call.id, known.sequence, fillIn(known.entry, reported));
    if (entries.length >= MAX_PER_CALL) return;
    await noteOnCall(tx, call, { type: CARRIER_RECORDING, at: args.at, data: reported });
  },
});

async function entriesOf(
  tx: Tx,
  callId: string,
): Promise<{ sequence: number; entry: CarrierRecordingEntry }[]> {
  const rows = await tx.all(
    'select * from call_events where call_id = ? and type = ? order by sequence',
    callId,
    CARRIER_RECORDING,
  );
  return rows.map((row) => {
    const { sequence, data } = CallEvent.parse(row);
    return { sequence, entry: CarrierRecordingEntry.parse(data) };
  });
}

async function rewrite(
  tx: Tx,
  callId: string,
  sequence: number,
  entry: CarrierRecordingEntry,
): Promise<void> {
  await tx.run(
    'update call_events set data = ? where call_id = ? and sequence = ?',
    JSON.stringify(entry),
    callId,
    sequence,
  );
}

/** An erased call has no numbers and no recording. */
function isErased(call: CallRow): boolean {
  return call.to_phone === '' && call.from_phone === '' && !call.record_call;
}
