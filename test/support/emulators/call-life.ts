import { sleep, type Clock } from '#kernel/time/clock.js';
import type { Person } from './person.js';
import type { DialledPhone } from './phone-network.js';

const SAY_MS_PER_CHARACTER = 20;

/** The common part of calls at emulated carriers: a callee, a running document, and one end. */
export abstract class CallLife {
  /** What the carrier's own voice has said. */
  readonly said: string[] = [];
  readonly ended: Promise<void>;
  /** Resolves when the service first received a request about the call. */
  readonly told: Promise<void>;
  /** The person on the phone; null before the answer. */
  person: Person | null = null;
  /** The dialled phone; null before dialling, and for inbound calls. */
  protected phone: DialledPhone | null = null;
  readonly #clock: Clock;
  readonly #life = new AbortController();
  /** Aborts the running document. */
  #run = new AbortController();
  #resolveEnd: () => void = () => {};
  #resolveTold: () => void = () => {};

  protected constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.told = new Promise((resolve) => (this.#resolveTold = resolve));
  }

  /** Lets time pass, unless the call ends before. */
  protected wait(durationMs: number): Promise<void> {
    return sleep(this.#clock, durationMs, this.#life.signal);
  }

  /** Aborts the running document in favour of another; returns the signal of the new one. */
  protected takeTurn(): AbortSignal {
    this.#run.abort();
    this.#run = new AbortController();
    return this.#run.signal;
  }

  /** Speaks with the carrier's own voice. */
  protected async speak(text: string, signal: AbortSignal): Promise<void> {
    this.said.push(text);
    await sleep(this.#clock, text.length * SAY_MS_PER_CHARACTER, signal);
  }

  /** Records that the service received a request about the call. */
  protected wasTold(): void {
    this.#resolveTold();
  }

  /** Ends everything, including the phone: the call is over. */
  protected letGo(): void {
    this.#run.abort();
    this.#life.abort();
    this.phone?.hangUp();
    this.person?.leave();
    this.#resolveEnd();
  }
}
