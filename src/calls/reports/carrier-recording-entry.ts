import { z } from 'zod';
import type { Tx } from '#store/transaction.js';
import type { CarrierRecording } from '#telephony/port/carrier-recording.js';

/** The entry of a call's life-cycle log that tells of a recording of its carrier. */
export const CARRIER_RECORDING = 'carrier_recording';

/** What such an entry says. */
export const CarrierRecordingEntry = z.object({
  carrier: z.string(),
  recording_id: z.string().nullable(),
  state: z.enum(['completed', 'absent', 'failed']),
  duration_seconds: z.number().nullable(),
  channels: z.number().nullable(),
  url: z.string().nullable(),
});
export type CarrierRecordingEntry = z.output<typeof CarrierRecordingEntry>;

/** What a carrier told of its own recording, as it stands in the log of the call. */
export function toEntry(recording: CarrierRecording): CarrierRecordingEntry {
  return {
    carrier: recording.carrier,
    recording_id: recording.recordingId,
    state: recording.state,
    duration_seconds: recording.durationSeconds,
    channels: recording.channels,
    url: recording.url,
  };
}

/**
 * Whether two entries are about one recording: by the carrier's name for it; where that was not said, by its address
 * (whose query, a signature, is another one each time). One without either is the only one of its kind.
 */
export function isSameRecording(a: CarrierRecordingEntry, b: CarrierRecordingEntry): boolean {
  if (a.recording_id !== null && b.recording_id !== null) return a.recording_id === b.recording_id;
  if (a.url !== null && b.url !== null) return withoutQuery(a.url) === withoutQuery(b.url);
  return a.recording_id === b.recording_id && a.url === b.url && a.state === b.state;
}

/** What is known of a recording with what is told later: that fills gaps, and changes nothing. */
export function fillIn(known: CarrierRecordingEntry, told: CarrierRecordingEntry): CarrierRecordingEntry {
  return {
    ...known,
    recording_id: known.recording_id ?? told.recording_id,
    duration_seconds: known.duration_seconds ?? told.duration_seconds,
    channels: known.channels ?? told.channels,
    url: known.url ?? told.url,
  };
}

/** What a call's log tells of recordings elsewhere goes with the call's own. */
export async function forgetCarrierRecordings(tx: Tx, callId: string): Promise<void> {
  await tx.run('delete from call_events where call_id = ? and type = ?', callId, CARRIER_RECORDING);
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}
