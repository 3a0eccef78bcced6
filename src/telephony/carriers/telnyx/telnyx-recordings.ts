import { z } from 'zod';
import { recordingOf, secondsBetween, type RecordingState } from '#telephony/port/carrier-recording.js';
import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';

const word = z.string().nullish().catch(null);
const addresses = z.object({ mp3: word, wav: word }).nullish().catch(null);

/** The fields of a recording's event that are read; it may lack the call's id. */
const Event = z.object({
  data: z.object({
    event_type: z.string(),
    payload: z.object({
      recording_id: word,
      recording_started_at: word,
      recording_ended_at: word,
      channels: word,
      recording_urls: addresses,
      public_recording_urls: addresses,
    }),
  }),
});

/** The events of recordings, with the state that they report. */
const STATES: ReadonlyMap<string, RecordingState> = new Map([
  ['call.recording.saved', 'completed'],
  ['call.recording.error', 'failed'],
]);
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['single', '1'],
  ['dual', '2'],
]);

/**
 * Decodes an event about a recording made by Telnyx; empty for other events. Public URLs are preferred: the others
 * expire after ten minutes. Source: Telnyx, "Call Recording Saved" and "Call Recording Error"
 */
export function readTelnyxRecording(
  request: CarrierHttpRequest,
  call: { providerCallId: string | null; dialRef: string | null },
): CarrierEvent[] {
  const event = Event.safeParse(fieldsOf(request).json());
  const state = event.success ? STATES.get(event.data.data.event_type.replaceAll('_', '.')) : undefined;
  if (!event.success || state === undefined) return [];
  if (call.providerCallId === null && call.dialRef === null) return [];
  const { payload } = event.data.data;
  const { recording_urls: urls, public_recording_urls: publicUrls } = payload;
  const recording = recordingOf(
    { carrier: 'telnyx', ...call },
    {
      state,
      id: payload.recording_id,
      url: publicUrls?.mp3 ?? publicUrls?.wav ?? urls?.mp3 ?? urls?.wav,
      seconds: secondsBetween(payload.recording_started_at, payload.recording_ended_at),
      channels: CHANNELS.get(payload.channels ?? ''),
    },
  );
  return recording ? [{ kind: 'recording', recording }] : [];
}
