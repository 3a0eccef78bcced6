import type { CarrierStream } from '#telephony/wire/carrier-definition.js';
import { z } from 'zod';
import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { createBinaryMedia } from '#media/protocols/binary-media.js';
import {
  callIdField,
  digitField,
  flatParameters,
  dtmfMessage,
  markNameField,
  numberField,
  readFields,
  type Json,
} from '#media/protocols/carrier-fields.js';

/** jambonz keeps this many marks and silently drops further ones. */
const MAX_MARKS = 30;

/** The first message, about the call. */
const metadataSchema = z.object({
  callSid: callIdField,
  sampleRate: numberField,
  mixType: z.string().default('mono'),
});
const dtmfSchema = z.object({ dtmf: digitField });
const markSchema = z.object({ data: z.object({ name: markNameField, event: z.string().optional() }) });

/** True if a message begins a stream of this protocol. */
function isJambonzMetadata(json: Json): boolean {
  return json['event'] === undefined && 'callSid' in json && 'sampleRate' in json;
}

/**
 * Decodes and encodes the audio stream of jambonz' verb `listen`, for the audio socket: one JSON text frame about the
 * call, with the parameters of the stream merged in, then binary audio at one rate in both directions. Later text
 * frames from jambonz are DTMF keys and returned marks; a mark that a clear has discarded returns as `cleared`, and is
 * ignored. While jambonz keeps 30 marks, no further mark is sent. jambonz buffers 80 ms before it plays. The service
 * sends silence whenever the agent says nothing (`playoutBuffer` is null), because silence pushes the last word out of
 * that buffer.
 */
export function createJambonzStream(): StreamProtocol {
  /** Names of the marks that jambonz keeps: sent, and neither returned nor cleared. */
  const pendingMarks = new Set<string>();
  return createBinaryMedia({
    name: 'jambonz_stream',
    requestedRateHz: 8000,
    firstMessage: 'the metadata',
    readStart(json) {
      const { callSid, sampleRate, mixType } = readFields(metadataSchema, json);
      if (mixType !== 'mono') throw new ProtocolError('only the mixType mono is spoken here');
      const parameters = flatParameters(json, []);
      return { message: { kind: 'start', providerCallId: callSid, parameters }, rateHz: sampleRate };
    },
    readEvent(json) {
      if (json['event'] === 'dtmf') return dtmfMessage(readFields(dtmfSchema, json).dtmf);
      if (json['type'] !== 'mark') return null;
      const { name, event } = readFields(markSchema, json).data;
      pendingMarks.delete(name);
      return event === 'cleared' ? null : { kind: 'mark', name };
    },
    writeClear() {
      pendingMarks.clear();
      return '{"type":"killAudio"}';
    },
    writeMark(name) {
      if (pendingMarks.size >= MAX_MARKS) return null;
      pendingMarks.add(name);
      return JSON.stringify({ type: 'mark', data: { name } });
    },
  });
}

/** The stream of jambonz, for `detect-protocol.ts`. */
export const JAMBONZ_STREAM: CarrierStream = { recognises: isJambonzMetadata, create: createJambonzStream };
