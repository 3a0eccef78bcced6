import { z } from 'zod';
import type { Tx } from '#store/transaction.js';
import type { CarrierRecording } from '#telephony/port/carrier-recording.js';

// Entries of a call's life-cycle log about recordings that the carrier itself has made.

/** The type of these entries. */
export const CARRIER_RECORDING = 'carrier_recording';

/** The data of an entry. */
export const CarrierRecordingEntry = z.object({
  carrier: z.string(),
  recording_id: z.string().nullable(),
  state: z.enum(['completed', 'absent', 'failed']),
  duration_seconds: z.number().nullable(),
  channels: z.number().nullable(),
  url: z.string().nullable(),
});
export type CarrierRecordingEntry = z.output<typeof CarrierRecordingEntry>;

/** The entry for a carrier's report about its own recording. */
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
 * Whether two entries are about the same recording: by the carrier's id, else by the URL without its query (a
 * signature, different each time). Otherwise id, URL and state must all be equal.
 */
export function isSameRecording(a: CarrierRecordingEntry, b: CarrierRecordingEntry): boolean {
  if (a.recording_id !== null && b.recording_id !== null) return a.recording_id === b.recording_id;
  if (a.url !== null && b.url !== null) return withoutQuery(a.url) === withoutQuery(b.url);
  return a.recording_id === b.recording_id && a.url === b.url && a.state === b.state;
}

/** Completes a stored entry by a later report, which fills missing fields only. */
export function fillIn(known: CarrierRecordingEntry, reported: CarrierRecordingEntry): CarrierRecordingEntry {
  return {
    ...known,
    recording_id: known.recording_id ?? reported.recording_id,
    duration_seconds: known.duration_seconds ?? reported.duration_seconds,
    channels: known.channels ?? reported.channels,
    url: known.url ?? reported.url,
  };
}

/** Deletes the entries about recordings at the carrier, when the call is erased. */
export async function forgetCarrierRecordings(tx: Tx, callId: string): Promise<void> {
  await tx.run('delete from call_events where call_id = ? and type = ?', callId, CARRIER_RECORDING);
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}
