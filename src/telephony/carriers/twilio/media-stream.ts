import type { CarrierStream } from '#telephony/wire/carrier-definition.js';
import { z } from 'zod';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import {
  callIdField,
  markNameField,
  parametersField,
  readFields,
  type Json,
} from '#media/protocols/carrier-fields.js';
import {
  createJsonMedia,
  mediaFormatField,
  requireUlaw,
  type MediaStart,
} from '#media/protocols/json-media.js';

/** The events by which a message of this protocol is recognised. */
const EVENTS: ReadonlySet<unknown> = new Set(['start', 'media', 'mark', 'dtmf', 'stop']);

const streamSidField = z.string().max(256).nullish();
const startSchema = z.object({
  streamSid: streamSidField,
  start: z.object({
    streamSid: streamSidField,
    callSid: callIdField.nullish(),
    customParameters: parametersField,
    mediaFormat: mediaFormatField,
  }),
});
const markSchema = z.object({ mark: z.object({ name: markNameField }) });

/** True if a message is of this protocol. Other protocols begin with `start`, too, and must be tested first. */
function isMediaStream(json: Json): boolean {
  return EVENTS.has(json['event']);
}

/**
 * Decodes and encodes Twilio's media streams, which SignalWire and others copied, for the audio socket: JSON text
 * frames in both directions, base64 μ-law at 8 kHz. Audio is taken in order of arrival: the socket is ordered, so chunk
 * numbers and timestamps are ignored.
 */
export function createMediaStream(): StreamProtocol {
  // The JSON of the stream's id, which every message to the carrier repeats; empty before the start, or without an id.
  let streamField = '';
  return createJsonMedia({
    name: 'media_stream',
    readStart(json): MediaStart {
      const { start, streamSid: outerSid } = readFields(startSchema, json);
      requireUlaw(start.mediaFormat);
      // Some carriers have the stream id only within `start`, and some have none.
      const streamSid = start.streamSid ?? outerSid ?? null;
      if (streamSid !== null) streamField = `,"streamSid":${JSON.stringify(streamSid)}`;
      const parameters = start.customParameters;
      return {
        message: { kind: 'start', providerCallId: start.callSid ?? null, parameters },
        // The beginning of each message with audio, up to the base64 text.
        mediaHead: `{"event":"media"${streamField},"media":{"payload":"`,
      };
    },
    markEvent: 'mark',
    readMark: (json) => readFields(markSchema, json).mark.name,
    writeClear: () => `{"event":"clear"${streamField}}`,
    writeMark: (name) => `{"event":"mark"${streamField},"mark":{"name":${JSON.stringify(name)}}}`,
  });
}

/**
 * The stream of Twilio and compatible carriers, for `detect-protocol.ts`, which tests the others first (`isCommon`).
 */
export const MEDIA_STREAM: CarrierStream = {
  recognises: isMediaStream,
  create: createMediaStream,
  isCommon: true,
};
