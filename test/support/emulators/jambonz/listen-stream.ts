import { z } from 'zod';
import type { Resampler, Resampling } from '#media/samples/resampler.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { CarrierStream } from '#test/support/emulators/carrier-stream.js';
import type { Person } from '#test/support/emulators/person.js';
import { pcmBytes, pcmSamples } from '#test/support/emulators/sound-bytes.js';
import { ListenPlayout } from './playout.js';

/** The sub-protocol of the media server, which the service must accept. Source: mod_audio_fork. */
const SUB_PROTOCOL = 'audio.drachtio.org';
const RATE_HZ = 16_000;
const PERSON_RATE_HZ = 8_000;
const SILENCE = Buffer.alloc((RATE_HZ / 50) * 2);

const serviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mark'), data: z.object({ name: z.string().min(1) }) }),
  z.object({ type: z.literal('killAudio') }),
  z.object({ type: z.literal('clearMarks') }),
  z.object({ type: z.literal('disconnect') }),
]);
export type ServiceMessage = z.infer<typeof serviceMessage>;

/** How a stream ended. */
export type ListenEnd =
  { by: 'service'; closeCode: number } | { by: 'carrier' } | { by: 'error'; text: string };

/** One bidirectional `listen` stream: the person of a call on one side, a WebSocket on the other. */
export class ListenStream extends CarrierStream<ListenEnd> {
  /** Messages of the service other than audio, in order. */
  readonly serviceMessages: ServiceMessage[] = [];
  /** Audio received from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #metadata: Readonly<Record<string, unknown>>;
  readonly #person: Person;
  readonly #playout = new ListenPlayout((name, event) => this.send({ type: 'mark', data: { name, event } }));
  readonly #toService: Resampler;
  readonly #toPerson: Resampler;

  constructor(
    request: { url: string; metadata: Readonly<Record<string, unknown>> },
    parts: { pacingTimer: PacingTimer; person: Person; resampling: Resampling },
  ) {
    super({ url: request.url, subProtocol: SUB_PROTOCOL }, parts.pacingTimer);
    this.#metadata = request.metadata;
    this.#person = parts.person;
    this.#toService = parts.resampling.open({ fromHz: PERSON_RATE_HZ, toHz: RATE_HZ });
    this.#toPerson = parts.resampling.open({ fromHz: RATE_HZ, toHz: PERSON_RATE_HZ });
  }

  /** Durations are in units of 125 µs. */
  press(digit: string): void {
    this.send({ event: 'dtmf', dtmf: digit, duration: '1600' });
  }

  /** The socket closes without a message. */
  stop(): void {
    this.end({ by: 'carrier' });
  }

  protected begin(): void {
    this.send({ sampleRate: RATE_HZ, mixType: 'mono', ...this.#metadata });
  }

  protected turn(): void {
    const played = this.#playout.next();
    const said = this.#person.frame(played && this.#toPerson.process(played));
    if (!this.isOver) this.send(said ? pcmBytes(this.#toService.process(said)) : SILENCE);
  }

  protected take(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.receivedMs += (data.length / 2 / RATE_HZ) * 1_000;
      return this.#playout.add(pcmSamples(data));
    }
    const message = serviceMessage.safeParse(parsed(data.toString())).data;
    if (!message) return this.end({ by: 'error', text: 'a message that is not of the protocol' });
    this.serviceMessages.push(message);
    if (message.type === 'mark') this.#playout.mark(message.data.name);
    else if (message.type === 'killAudio') this.#playout.clear();
    else if (message.type === 'disconnect') this.end({ by: 'service', closeCode: 1000 });
  }

  protected finish(): void {
    this.#toService.free();
    this.#toPerson.free();
  }

  protected closed(closeCode: number): ListenEnd {
    const text = 'the stream could not be opened';
    return this.isOpen ? { by: 'service', closeCode } : { by: 'error', text };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
