import { z } from 'zod';
import type { Resampler, Resampling } from '#media/samples/resampler.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { CarrierStream } from '#test/support/emulators/carrier-stream.js';
import type { Person } from '#test/support/emulators/person.js';
import { pcmBytes, pcmSamples } from '#test/support/emulators/sound-bytes.js';
import { FRAME_BYTES, SocketPlayout } from './playout.js';

/** How a socket ended: closed by the service, by the carrier, or never opened. */
export type SocketEnd = 'service' | 'carrier' | 'not_opened';

export interface SocketRequest {
  url: string;
  contentType: string;
  headers: Readonly<Record<string, string>>;
}

export interface SocketParts {
  pacingTimer: PacingTimer;
  resampling: Resampling;
  person: Person;
  complain: (text: string) => void;
}

const FRAME_SAMPLES = FRAME_BYTES / 2;
const SILENCE = Buffer.alloc(FRAME_BYTES);

const command = z.discriminatedUnion('action', [
  z.object({ action: z.literal('clear') }),
  z.object({ action: z.literal('notify'), payload: z.record(z.string(), z.unknown()) }),
]);

/**
 * A WebSocket endpoint: the person of a call on one side, a socket of the service on the other. Text frames are JSON,
 * binary ones 20 ms of audio each. Source: Vonage's "WebSockets" guide.
 */
export class MediaSocket extends CarrierStream<SocketEnd> {
  /** The actions of the service's text frames, in order. */
  readonly commands: string[] = [];
  /** Audio received from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #request: SocketRequest;
  readonly #parts: SocketParts;
  readonly #playout = new SocketPlayout((payload) => this.send({ event: 'websocket:notify', payload }));
  readonly #toPerson: Resampler;
  readonly #toService: Resampler;

  constructor(request: SocketRequest, parts: SocketParts) {
    super({ url: request.url }, parts.pacingTimer);
    this.#request = request;
    this.#parts = parts;
    this.#toPerson = parts.resampling.open({ fromHz: 16_000, toHz: 8_000 });
    this.#toService = parts.resampling.open({ fromHz: 8_000, toHz: 16_000 });
  }

  press(digit: string): void {
    this.send({ event: 'websocket:dtmf', digit, duration: 260 });
  }

  stop(): void {
    this.end('carrier');
  }

  protected begin(): void {
    const { contentType, headers } = this.#request;
    this.send({ event: 'websocket:connected', 'content-type': contentType, ...headers });
  }

  protected turn(): void {
    const played = this.#playout.next();
    const said = this.#parts.person.frame(played && this.#toPerson.process(pcmSamples(played)));
    if (this.isOver) return;
    const sound = said ? this.#toService.process(said) : null;
    this.send(sound?.length === FRAME_SAMPLES ? pcmBytes(sound) : SILENCE);
  }

  protected take(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#takeSound(data);
    let said: z.output<typeof command>;
    try {
      said = command.parse(JSON.parse(data.toString()));
    } catch {
      return this.#parts.complain('a text frame that is no action');
    }
    this.commands.push(said.action);
    if (said.action === 'notify') return this.#playout.notification(said.payload);
    this.#playout.clear();
    return this.send({ event: 'websocket:cleared' });
  }

  protected finish(): void {
    this.#toPerson.free();
    this.#toService.free();
  }

  protected closed(): SocketEnd {
    return this.isOpen ? 'service' : 'not_opened';
  }

  #takeSound(frame: Buffer): void {
    if (frame.length !== FRAME_BYTES) this.#parts.complain(`a frame of ${frame.length} bytes is garbled`);
    else if (this.#playout.add(frame)) this.receivedMs += 20;
    else this.#parts.complain('more sound than is kept');
  }
}
