import type { CarrierStream } from '#telephony/wire/carrier-definition.js';
import { z } from 'zod';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import { callIdField, markNameField, readFields, type Json } from '#media/protocols/carrier-fields.js';
import {
  createJsonMedia,
  mediaFormatField,
  requireUlaw,
  type MediaStart,
} from '#media/protocols/json-media.js';

/** The beginning of an audio message, before the payload. */
const MEDIA_HEAD =
  '{"event":"playAudio","media":{"contentType":"audio/x-mulaw","sampleRate":8000,"payload":"';

const startSchema = z.object({
  start: z.object({
    callId: callIdField.nullish(),
    streamId: z.string().max(256).nullish(),
    mediaFormat: mediaFormatField,
  }),
  extra_headers: z.string().nullish(),
});
const playedSchema = z.object({ name: markNameField });

/** True if a message begins a stream of this protocol. */
function isPlivoStart(json: Json): boolean {
  const start: object = Object(json['start']);
  return json['event'] === 'start' && ('callId' in start || 'streamId' in start);
}

/**
 * Decodes and encodes Plivo's audio streaming, for the audio socket: JSON text frames in both directions, base64 μ-law
 * at 8 kHz, as `writePlivoXml` requests it (other formats are refused). `start` is the first message. Marks are
 * checkpoints in Plivo's terms; Plivo never returns the checkpoints that a clear discards.
 */
export function createPlivoStream(): StreamProtocol {
  // The stream's id, which clears and checkpoints repeat; empty before the start, and if Plivo sent none.
  let streamField = '';
  return createJsonMedia({
    name: 'plivo_stream',
    readStart(json): MediaStart {
      const { start, extra_headers: headers } = readFields(startSchema, json);
      requireUlaw(start.mediaFormat);
      const streamId = start.streamId ?? null;
      if (streamId !== null) streamField = `,"streamId":${JSON.stringify(streamId)}`;
      const parameters = parametersIn(headers ?? '');
      return {
        message: { kind: 'start', providerCallId: start.callId ?? null, parameters },
        mediaHead: MEDIA_HEAD,
      };
    },
    markEvent: 'playedStream',
    readMark: (json) => readFields(playedSchema, json).name,
    writeClear: () => `{"event":"clearAudio"${streamField}}`,
    writeMark: (name) => `{"event":"checkpoint"${streamField},"name":${JSON.stringify(name)}}`,
  });
}

/**
 * The parameters in the extra headers of a stream: `key=value` pairs separated by semicolons or commas (both occur,
 * also in braces); a value may contain "=".
 */
function parametersIn(headers: string): Readonly<Record<string, string>> {
  // Trimmed by `trim`: a regular expression for whole pairs would take very long for a megabyte of spaces, which an
  // unauthenticated peer may send.
  const pairs = headers.split(/[;,{}]/).map((pair) => {
    const equalsAt = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, equalsAt)).trim(), pair.slice(equalsAt + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}

/** The stream of Plivo, for `detect-protocol.ts`. */
export const PLIVO_STREAM: CarrierStream = { recognises: isPlivoStart, create: createPlivoStream };
