import type { LiveCall, LiveCalls, StreamOpening } from '#calls/live/sessions/live-call.js';
import { FRAME_MS } from '#media/samples/audio.js';
import { createFramer } from '#media/pacing/framer.js';

/** A call of {@link EchoCalls} that records everything asked of it. */
export class EchoCall implements LiveCall {
  readonly callId: string;
  readonly opening: StreamOpening;
  readonly asked: string[] = [];
  heardSamples = 0;
  /** Makes the next audio throw, like a bug of the service. */
  breaks = false;
  #isOver = false;
  readonly #framer;
  readonly #onAsked: () => void;

  constructor(callId: string, opening: StreamOpening, onAsked: () => void) {
    this.callId = callId;
    this.opening = opening;
    this.#framer = createFramer((opening.line.sampleRateHz * FRAME_MS) / 1000);
    this.#onAsked = onAsked;
  }

  hear(samples: Int16Array): void {
    if (this.breaks) throw new Error('a fault of ours');
    this.heardSamples += samples.length;
    this.#framer.push(samples, (frame) => this.opening.line.send(frame, 0));
  }

  press(digit: string): void {
    this.#ask(`press ${digit}`);
  }

  type(text: string): void {
    this.#ask(`type ${text}`);
  }

  interrupt(): void {
    this.#ask('interrupt');
    this.opening.line.clear();
  }

  hangUp(): void {
    this.#ask('hang up');
    if (this.#isOver) return;
    this.#isOver = true;
    this.opening.notify({ type: 'call.ended', call_id: this.callId, ended_reason: 'customer_hangup' });
    this.opening.close(1000, 'the call is over');
    this.#onAsked();
  }

  disconnected(cause: 'closed' | 'failure'): void {
    this.#ask(`disconnected ${cause}`);
  }

  #ask(what: string): void {
    this.asked.push(what);
    this.#onAsked();
  }
}

/** Live calls that echo what they hear, frame by frame. */
export class EchoCalls implements LiveCalls {
  readonly calls: EchoCall[] = [];
  /** Called before a call is opened: throw to refuse it, or wait to delay it. */
  beforeOpen: (opening: StreamOpening) => Promise<void> | void = () => {};
  readonly #waiting: { isTrue: () => boolean; resolve: () => void }[] = [];

  async open(opening: StreamOpening): Promise<LiveCall> {
    await this.beforeOpen(opening);
    const callId =
      opening.right.kind === 'principal' ? opening.right.callId : `call_of_${opening.right.token}`;
    const call = new EchoCall(callId, opening, () => this.#look());
    this.calls.push(call);
    opening.notify({ type: 'session.started', call_id: callId, sample_rate: opening.line.sampleRateHz });
    this.#look();
    return call;
  }

  /** The first call, once there is one. */
  async first(): Promise<EchoCall> {
    await this.until(() => this.calls.length > 0);
    return this.calls[0]!;
  }

  /** Resolves when `isTrue` holds; checked whenever something is asked of a call. */
  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isTrue, resolve });
      this.#look();
    });
  }

  #look(): void {
    for (const waiting of this.#waiting.filter(({ isTrue }) => isTrue())) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve();
    }
  }
}
