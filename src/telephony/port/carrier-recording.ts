/** How a recording has turned out, for good. `absent`: there was nothing to keep, such as a call without sound. */
export type RecordingState = 'completed' | 'absent' | 'failed';

/** What a carrier tells of a recording that it has made itself. It may come at any time, and more than once. */
export interface CarrierRecording {
  carrier: string;
  /** As in a `CarrierReport`. */
  dialRef: string | null;
  /** Null where only our reference tells which call it is. */
  providerCallId: string | null;
  /** The carrier's own name for it; null where it has none, or does not say. */
  recordingId: string | null;
  state: RecordingState;
  /** Whole seconds. */
  durationSeconds: number | null;
  channels: number | null;
  /** Where the carrier keeps it, as it was said: it may hold a credential, and it may not be good for long. */
  url: string | null;
}

/** Presigned addresses of object storage are the longest. */
const LONGEST_URL = 4_096;
const LONGEST_ID = 256;
/** More than any call lasts, and than anybody records apart. */
const MOST_SECONDS = 1_000_000;
const MOST_CHANNELS = 32;
const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

/**
 * What is told of a recording, from the words of a carrier, none of which is trusted; null when it tells of none.
 * `state` undefined: whatever has an address is there.
 */
export function recordingOf(
  call: Pick<CarrierRecording, 'carrier' | 'dialRef' | 'providerCallId'>,
  said: Partial<Record<'id' | 'url' | 'seconds' | 'channels', string | null | undefined>> & {
    state?: RecordingState | undefined;
  },
): CarrierRecording | null {
  const url = readUrl(said.url);
  const recordingId = said.id?.replaceAll('\0', '').trim().slice(0, LONGEST_ID) || null;
  const state = said.state ?? (url === null ? null : 'completed');
  if (state === null || (state === 'completed' && url === null && recordingId === null)) return null;
  const { carrier, dialRef, providerCallId } = call;
  return {
    carrier,
    dialRef,
    providerCallId,
    recordingId,
    state,
    url,
    durationSeconds: readCount(said.seconds, 0, MOST_SECONDS),
    channels: readCount(said.channels, 1, MOST_CHANNELS),
  };
}

/** Only addresses of the web: whoever reads them later may follow them. */
function readUrl(said: string | null | undefined): string | null {
  const text = said?.trim() ?? '';
  // Neither spaces nor control characters, which a parser of addresses would pass over.
  if (text.length > LONGEST_URL || !/^https?:\/\/[\x21-\x7E]+$/i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}

function readCount(said: string | null | undefined, least: number, most: number): number | null {
  const text = said?.trim() ?? '';
  const count = NUMBER.test(text) ? Math.round(Number(text)) : NaN;
  return count >= least && count <= most ? count : null;
}

/** How long it is from one instant to another (ISO 8601), as seconds; null where that cannot be told. */
export function secondsBetween(
  start: string | null | undefined,
  end: string | null | undefined,
): string | null {
  const lengthMs = Date.parse(end ?? '') - Date.parse(start ?? '');
  return Number.isFinite(lengthMs) ? String(lengthMs / 1_000) : null;
}
