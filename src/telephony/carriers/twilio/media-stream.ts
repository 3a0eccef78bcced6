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

/** Whether a message is of this protocol. Others begin with `start` too: they are to be looked for first. */
function isMediaStream(json: Json): boolean {
  return EVENTS.has(json['event']);
}

/**
 * The media-stream protocol that telephone carriers speak (Twilio's, which SignalWire and others copied): JSON text
 * frames both ways, base64 μ-law at 8 kHz. Numbers may come as strings. Sound is taken in the order of arrival: a
 * socket keeps its order, so chunk numbers and time stamps are not looked at.
 */
export function createMediaStream(): StreamProtocol {
  let streamField = '';
  return createJsonMedia({
    name: 'media_stream',
    readStart(json): MediaStart {
      const { start, streamSid: outerSid } = readFields(startSchema, json);
      requireUlaw(start.mediaFormat);
      // Some carriers name the stream within `start` only, and some that copied the protocol have no stream id at all.
      const streamSid = start.streamSid ?? outerSid ?? null;
      if (streamSid !== null) streamField = `,"streamSid":${JSON.stringify(streamSid)}`;
      const parameters = start.customParameters;
      return {
        message: { kind: 'start', providerCallId: start.callSid ?? null, parameters },
        mediaHead: `{"event":"media"${streamField},"media":{"payload":"`,
      };
    },
    markEvent: 'mark',
    readMark: (json) => readFields(markSchema, json).mark.name,
    writeClear: () => `{"event":"clear"${streamField}}`,
    writeMark: (name) => `{"event":"mark"${streamField},"mark":{"name":${JSON.stringify(name)}}}`,
  });
}

export const MEDIA_STREAM: CarrierStream = {
  recognises: isMediaStream,
  create: createMediaStream,
  isCommon: true,
};
