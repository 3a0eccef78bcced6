import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { CarrierStream } from '#test/support/emulators/carrier-stream.js';
import type { Person } from '#test/support/emulators/person.js';
import { exchangeUlaw } from '#test/support/emulators/sound-bytes.js';
import { GatewayPlayout } from '#test/support/emulators/twilio/playout.js';
import { PlivoFrames, readServiceFrame, type PlivoServiceFrame } from './stream-frames.js';

/** How a stream ended. */
export type PlivoStreamEnd = { by: 'service' | 'carrier' } | { by: 'error'; text: string };

/** One stream of Plivo: the person of a call on one side, a WebSocket of the service on the other. */
export class PlivoGateway extends CarrierStream<PlivoStreamEnd> {
  readonly streamId = randomUUID();
  /** Messages of the service other than audio, in order. */
  readonly serviceFrames: PlivoServiceFrame[] = [];
  readonly #frames: PlivoFrames;
  readonly #person: Person;
  #isClearing = false;
  readonly #playout = new GatewayPlayout((name) => {
    // Checkpoints discarded by a clear are never reported.
    if (!this.#isClearing) this.send(this.#frames.playedStream(name));
  });

  constructor(
    request: { url: string; parameters: Readonly<Record<string, string>>; callId: string; accountId: string },
    parts: { clock: Clock; pacingTimer: PacingTimer; person: Person },
  ) {
    const { url, ...call } = request;
    super({ url }, parts.pacingTimer);
    this.#person = parts.person;
    this.#frames = new PlivoFrames({ streamId: this.streamId, ...call }, parts.clock);
  }

  press(digit: string): void {
    this.send(this.#frames.dtmf(digit));
  }

  stop(): void {
    this.end({ by: 'carrier' });
  }

  protected begin(): void {
    this.send(this.#frames.start());
  }

  protected turn(): void {
    const said = exchangeUlaw(this.#person, this.#playout.next());
    if (!this.isOver) this.send(this.#frames.media(said));
  }

  protected take(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? null : readServiceFrame(data.toString(), this.streamId);
    if (!frame) return this.end({ by: 'error', text: 'a message that is not of the protocol' });
    if (frame.event === 'playAudio') return this.#playout.add(Buffer.from(frame.media.payload, 'base64'));
    this.serviceFrames.push(frame);
    if (frame.event === 'checkpoint') this.#playout.mark(frame.name);
    else this.#clear();
  }

  protected finish(): void {
    this.send(this.#frames.stop());
  }

  protected closed(): PlivoStreamEnd {
    return this.isOpen ? { by: 'service' } : { by: 'error', text: 'the stream could not be opened' };
  }

  #clear(): void {
    this.#isClearing = true;
    this.#playout.clear();
    this.#isClearing = false;
    this.send(this.#frames.clearedAudio());
  }
}
