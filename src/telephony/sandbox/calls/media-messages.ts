import { z } from 'zod';
import { FRAME_MS } from '#media/samples/audio.js';
import { SANDBOX_SAMPLE_RATE_HZ } from '#telephony/sandbox/sound/sandbox-frames.js';

/** The account in the network's start messages. */
const ACCOUNT_SID = `AC${'0'.repeat(32)}`;

/**
 * Writes the messages that the sandbox network sends on one media stream, in Twilio's format with all counters as
 * strings. Used by `MediaStream`. Source: Twilio's reference of the Media Streams WebSocket messages.
 */
export class MediaMessages {
  readonly #streamSid: string;
  readonly #callSid: string;
  #sequenceNumber = 0;
  #chunk = 0;

  constructor(streamSid: string, callSid: string) {
    this.#streamSid = streamSid;
    this.#callSid = callSid;
  }

  /** The first message, which only names the protocol. */
  connected(): string {
    return JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  }

  /** The message with the ids, the format and the parameters of the stream. */
  start(parameters: Readonly<Record<string, string>>): string {
    return this.#message('start', {
      accountSid: ACCOUNT_SID,
      streamSid: this.#streamSid,
      callSid: this.#callSid,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: SANDBOX_SAMPLE_RATE_HZ, channels: 1 },
      customParameters: parameters,
    });
  }

  /** The message of one audio frame. `JSON.stringify` would be too slow for fifty messages a second and call. */
  media(payloadBase64: string): string {
    this.#chunk += 1;
    this.#sequenceNumber += 1;
    return (
      `{"event":"media","sequenceNumber":"${this.#sequenceNumber}","media":{"track":"inbound","chunk":"${this.#chunk}",` +
      `"timestamp":"${(this.#chunk - 1) * FRAME_MS}","payload":"${payloadBase64}"},"streamSid":"${this.#streamSid}"}`
    );
  }

  /** A DTMF digit that the callee has pressed. */
  dtmf(digit: string): string {
    return this.#message('dtmf', { track: 'inbound_track', digit });
  }

  /** A mark of the service, returned when the audio before it has been played. */
  mark(name: string): string {
    return this.#message('mark', { name });
  }

  /** The last message. */
  stop(): string {
    return this.#message('stop', { accountSid: ACCOUNT_SID, callSid: this.#callSid });
  }

  /** A message with its number in the stream; its content is in a field with the name of the event. */
  #message(event: string, content: Readonly<Record<string, unknown>>): string {
    this.#sequenceNumber += 1;
    return JSON.stringify({
      event,
      sequenceNumber: String(this.#sequenceNumber),
      streamSid: this.#streamSid,
      [event]: content,
    });
  }
}

/** The messages of the service. */
const serviceMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('media'), streamSid: z.string(), media: z.object({ payload: z.base64() }) }),
  z.object({ event: z.literal('mark'), streamSid: z.string(), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('clear'), streamSid: z.string() }),
]);

/** A message of the service on a media stream: audio, a mark, or the order to drop buffered audio. */
export type ServiceMessage = z.infer<typeof serviceMessage>;

/** Parses a message of the service; null for one that a carrier would not understand, or that names another stream. */
export function readServiceMessage(text: string, streamSid: string): ServiceMessage | null {
  try {
    const message = serviceMessage.parse(JSON.parse(text));
    return message.streamSid === streamSid ? message : null;
  } catch {
    return null;
  }
}
