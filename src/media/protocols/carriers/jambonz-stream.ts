import { z } from 'zod';
import type { SampleRateHz } from '../../samples/audio.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../messages/stream-protocol.js';
import { createBinaryMedia } from '../messages/binary-media.js';
import {
  callIdField,
  digitField,
  flatParameters,
  keyPressed,
  markNameField,
  numberField,
  readFields,
  type Json,
} from '../messages/carrier-fields.js';
import { parseJsonMessage } from '../messages/json-message.js';

/** The peer drops marks beyond this without a word. */
const MOST_MARKS = 30;

const metadataSchema = z.object({
  callSid: callIdField,
  sampleRate: numberField,
  mixType: z.string().default('mono'),
});
const dtmfSchema = z.object({ dtmf: digitField });
const markSchema = z.object({ data: z.object({ name: markNameField, event: z.string().optional() }) });

/** Whether a message begins a stream of this protocol. */
export function isJambonzMetadata(json: Json): boolean {
  return json['event'] === undefined && 'callSid' in json && 'sampleRate' in json;
}

/**
 * jambonz's `listen` with streaming sound both ways: one JSON text frame about the call with our metadata merged in,
 * then binary frames of signed 16-bit little-endian sound, at one rate both ways, as our call control asks for. The
 * peer keeps 30 marks; more are not asked for. Marks that a clearing threw away come back as such and say nothing.
 * There is no word for the end: the socket closes.
 */
export function createJambonzStream(): StreamProtocol {
  return new JambonzStream();
}

class JambonzStream implements StreamProtocol {
  readonly name = 'jambonz_stream';
  readonly audioFrames = 'binary';
  /** It waits for 80 ms of sound before it plays any: silence keeps that filled, so that no last word is held back. */
  readonly playoutBuffer = null;
  readonly #sound = createBinaryMedia({ askedRateHz: 8000, firstMessage: 'the metadata' });
  /** Names of marks that the peer has not answered. */
  readonly #pendingMarks = new Set<string>();

  /** Known when the stream has begun. */
  get sampleRateHz(): SampleRateHz {
    return this.#sound.sampleRateHz;
  }

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    return isBinary ? this.#sound.decode(message) : this.#readText(parseJsonMessage(message));
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#sound.encode(samples);
  }

  encodeClear(): string {
    this.#pendingMarks.clear();
    return '{"type":"killAudio"}';
  }

  encodeMark(name: string): string | null {
    if (this.#pendingMarks.size >= MOST_MARKS) return null;
    this.#pendingMarks.add(name);
    return JSON.stringify({ type: 'mark', data: { name } });
  }

  encodeEvent(): null {
    return null;
  }

  #readText(json: Json): StreamMessage | null {
    if (!this.#sound.hasBegun) return this.#readMetadata(json);
    if (json['event'] === 'dtmf') return keyPressed(readFields(dtmfSchema, json).dtmf);
    if (json['type'] !== 'mark') return null;
    const { name, event } = readFields(markSchema, json).data;
    this.#pendingMarks.delete(name);
    return event === 'cleared' ? null : { kind: 'mark', name };
  }

  #readMetadata(json: Json): StreamMessage {
    const { callSid, sampleRate, mixType } = readFields(metadataSchema, json);
    if (mixType !== 'mono') throw new ProtocolError('only the mixType mono is spoken here');
    this.#sound.begin(sampleRate);
    return { kind: 'start', providerCallId: callSid, parameters: flatParameters(json, []) };
  }
}
