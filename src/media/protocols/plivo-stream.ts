import { z } from 'zod';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../stream-protocol.js';
import {
  callIdField,
  digitField,
  keyPressed,
  markNameField,
  numberField,
  readFields,
  type Json,
} from './carrier-fields.js';
import { parseJsonMessage } from './json-message.js';
import { createMediaReader } from './media-reader.js';
import { createMediaWriter } from './media-writer.js';

const RATE_HZ = 8000;
const MEDIA_HEAD =
  '{"event":"playAudio","media":{"contentType":"audio/x-mulaw","sampleRate":8000,"payload":"';

const startSchema = z.object({
  start: z.object({
    callId: callIdField.optional(),
    streamId: z.string().max(256).optional(),
    mediaFormat: z
      .object({ encoding: z.string().default('audio/x-mulaw'), sampleRate: numberField.default(RATE_HZ) })
      .prefault({}),
  }),
  extra_headers: z.string().nullish(),
});
const dtmfSchema = z.object({ dtmf: z.object({ digit: digitField }) });
const playedSchema = z.object({ name: markNameField });

/** Whether a message begins a stream of this protocol. */
export function isPlivoStart(json: Json): boolean {
  const start: object = Object(json['start']);
  return json['event'] === 'start' && ('callId' in start || 'streamId' in start);
}

/**
 * Plivo's audio streaming: JSON text frames both ways, base64 μ-law at 8 kHz, which our call control asks for (other
 * formats are refused with 1003). `start` is the first message. Marks are called checkpoints; those that a clearing
 * overtakes are never answered.
 */
export function createPlivoStream(): StreamProtocol {
  return new PlivoStream();
}

class PlivoStream implements StreamProtocol {
  readonly name = 'plivo_stream';
  readonly audioFrames = 'text';
  readonly sampleRateHz = RATE_HZ;
  readonly #reader = createMediaReader();
  readonly #writer = createMediaWriter(MEDIA_HEAD);
  #streamField = '';
  #started = false;
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (isBinary) throw new ProtocolError(1003, 'this protocol has text frames only');
    const sound = this.#started ? this.#reader.readUsual(message) : null;
    if (sound !== null) return this.#heard(sound);
    const json = parseJsonMessage(message);
    switch (json['event']) {
      case 'media':
        if (!this.#started) throw new ProtocolError(1008, 'media came before start');
        return this.#heard(this.#reader.read(json['media']));
      case 'start':
        return this.#readStart(json);
      case 'dtmf':
        return keyPressed(readFields(dtmfSchema, json).dtmf.digit);
      case 'playedStream':
        return { kind: 'mark', name: readFields(playedSchema, json).name };
      case 'stop':
        return { kind: 'stop' };
      default:
        return null;
    }
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#writer.write(samples);
  }

  encodeClear(): string {
    return `{"event":"clearAudio"${this.#streamField}}`;
  }

  encodeMark(name: string): string {
    return `{"event":"checkpoint"${this.#streamField},"name":${JSON.stringify(name)}}`;
  }

  encodeEvent(): null {
    return null;
  }

  #readStart(json: Json): StreamMessage | null {
    if (this.#started) return null;
    const { start, extra_headers: headers } = readFields(startSchema, json);
    const { encoding, sampleRate } = start.mediaFormat;
    if (encoding !== 'audio/x-mulaw' || sampleRate !== RATE_HZ) {
      throw new ProtocolError(1003, 'only audio/x-mulaw at 8000 Hz is spoken here');
    }
    if (start.streamId !== undefined) this.#streamField = `,"streamId":${JSON.stringify(start.streamId)}`;
    this.#started = true;
    return {
      kind: 'start',
      providerCallId: start.callId ?? null,
      parameters: parametersIn(headers ?? ''),
    };
  }

  #heard(samples: Int16Array | null): StreamMessage | null {
    if (samples === null) return null;
    this.#audio.samples = samples;
    return this.#audio;
  }
}

/** `key=value` pairs between semicolons or commas (both are seen, and braces around them); a value may hold "=". */
function parametersIn(headers: string): Readonly<Record<string, string>> {
  // No pattern for a pair: a stranger may send a megabyte of spaces, over which one takes for ever.
  const pairs = headers.split(/[;,{}]/).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}
