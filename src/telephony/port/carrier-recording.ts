/** The final state of a recording. `absent`: there was nothing to record, such as a call without audio. */
export type RecordingState = 'completed' | 'absent' | 'failed';

/**
 * A carrier's notice about a recording that the carrier has made. It may come at any time, and more than once. The call
 * stores it; the recording itself stays with the carrier.
 */
export interface CarrierRecording {
  carrier: string;
  /** As in a `CarrierReport`. */
  dialRef: string | null;
  /** Null if the call is identified by the dial reference only. */
  providerCallId: string | null;
  /** The carrier's id of the recording; null if it has none. */
  recordingId: string | null;
  state: RecordingState;
  /** Whole seconds. */
  durationSeconds: number | null;
  channels: number | null;
  /** Address of the recording as sent: it may hold a credential, and may expire. */
  url: string | null;
}

/** The longest address in characters: presigned addresses of object storage are long. */
const MAX_URL_LENGTH = 4_096;
const MAX_ID_LENGTH = 256;
/** Limit of the duration, far longer than any call. */
const MAX_SECONDS = 1_000_000;
const MAX_CHANNELS = 32;
const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

/**
 * Makes the notice from the texts in a carrier's request, for the carrier's codec. Invalid numbers and addresses become
 * null. Returns null if the request announces no recording. Without a `state`, an address means `completed`.
 */
export function recordingOf(
  call: Pick<CarrierRecording, 'carrier' | 'dialRef' | 'providerCallId'>,
  fields: Partial<Record<'id' | 'url' | 'seconds' | 'channels', string | null | undefined>> & {
    state?: RecordingState | undefined;
  },
): CarrierRecording | null {
  const url = parseUrl(fields.url);
  const recordingId = fields.id?.replaceAll('\0', '').trim().slice(0, MAX_ID_LENGTH) || null;
  const state = fields.state ?? (url === null ? null : 'completed');
  if (state === null || (state === 'completed' && url === null && recordingId === null)) return null;
  const { carrier, dialRef, providerCallId } = call;
  return {
    carrier,
    dialRef,
    providerCallId,
    recordingId,
    state,
    url,
    durationSeconds: parseCount(fields.seconds, 0, MAX_SECONDS),
    channels: parseCount(fields.channels, 1, MAX_CHANNELS),
  };
}

/** A text as a web address; null for any other text, because addresses are fetched later. */
function parseUrl(value: string | null | undefined): string | null {
  const text = value?.trim() ?? '';
  // A URL parser would skip spaces and control characters.
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\/[\x21-\x7E]+$/i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}

/** A number rounded to an integer; null if it is no number or outside of the limits. */
function parseCount(value: string | null | undefined, least: number, most: number): number | null {
  const text = value?.trim() ?? '';
  const count = NUMBER.test(text) ? Math.round(Number(text)) : NaN;
  return count >= least && count <= most ? count : null;
}

/** Seconds between two instants (ISO 8601), as text; null if either is invalid. */
export function secondsBetween(
  start: string | null | undefined,
  end: string | null | undefined,
): string | null {
  const lengthMs = Date.parse(end ?? '') - Date.parse(start ?? '');
  return Number.isFinite(lengthMs) ? String(lengthMs / 1_000) : null;
}
