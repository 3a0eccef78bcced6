import { sleep, type Clock } from '#kernel/time/clock.js';
import type { Person } from './person.js';
import type { DialledPhone } from './phone-network.js';

const SAY_MS_PER_CHARACTER = 20;

/** What every call at an emulated carrier is: somebody on the phone, a document that runs, and one end. */
export abstract class CallLife {
  /** What the carrier's own voice has said in it. */
  readonly said: string[] = [];
  readonly ended: Promise<void>;
  /** Resolves when the service has been told of it for the first time. */
  readonly told: Promise<void>;
  /** Who is on the phone; null before somebody has picked up. */
  person: Person | null = null;
  /** The phone that is called; null before, and for calls that come in. */
  protected phone: DialledPhone | null = null;
  readonly #clock: Clock;
  readonly #life = new AbortController();
  /** Of the document that runs. */
  #run = new AbortController();
  #resolveEnd: () => void = () => {};
  #resolveTold: () => void = () => {};

  protected constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.told = new Promise((resolve) => (this.#resolveTold = resolve));
  }

  /** Lets so much time pass, unless the call ends before. */
  protected wait(durationMs: number): Promise<void> {
    return sleep(this.#clock, durationMs, this.#life.signal);
  }

  /** Breaks off the document that runs, for another one: until when that one may run. */
  protected takeTurn(): AbortSignal {
    this.#run.abort();
    this.#run = new AbortController();
    return this.#run.signal;
  }

  /** Says something with the carrier's own voice. */
  protected async speak(text: string, signal: AbortSignal): Promise<void> {
    this.said.push(text);
    await sleep(this.#clock, text.length * SAY_MS_PER_CHARACTER, signal);
  }

  /** The service has been told of it. */
  protected wasTold(): void {
    this.#resolveTold();
  }

  /** Breaks off what goes on, on the phone as well: the call is over. */
  protected letGo(): void {
    this.#run.abort();
    this.#life.abort();
    this.phone?.hangUp();
    this.person?.leave();
    this.#resolveEnd();
  }
}
