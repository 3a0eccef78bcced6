import { asError } from '#kernel/errors/as-error.js';
import { systemClock } from '#kernel/time/clock.js';
import { FakeClock, settle } from './fake-clock.js';

/** Audio advances in steps of 20 ms, with little work between two of them. */
const FRAME_MS = 20;
/** Idle turns of the event loop before time may advance: by a frame, and by more. */
const TURNS_FOR_A_FRAME = 4;
const TURNS_FOR_LONGER = 60;
/** The default polling interval of a wait, in virtual milliseconds. */
const LOOK_EVERY_MS = 100;
/** The polling interval for pending answers of threads, in real milliseconds. */
const THREAD_LOOK_MS = 1;
/** The timeout of a wait in virtual time: longer than anything a test waits for. */
const PATIENCE_MS = 7_200_000;

/** A pending wait. */
interface Waiter {
  /** True when the wait is over. */
  look(isLastLook: boolean): Promise<boolean>;
  everyMs: number;
  nextMs: number;
  lastMs: number;
}

/**
 * A clock for whole services in which a spoken minute takes a second. Time stands still until a test waits ({@link
 * until}, {@link during}). Then it jumps from timer to timer, as soon as the event loop is idle and nothing is
 * pending: no answer of a thread ({@link owes}), no file operation, no name resolution. Computation takes no virtual
 * time, so a conversation is the same on every machine.
 */
export class VirtualClock extends FakeClock {
  readonly #debts: (() => number)[] = [];
  readonly #waiters = new Set<Waiter>();
  #isDriving = false;

  /** Registers a counter of pending answers; time stands still while it is above zero. */
  owes(debt: () => number): void {
    this.#debts.push(debt);
  }

  /**
   * Lets time pass until `look` no longer throws; returns its result.
   * @param everyMs the polling interval; a poll with requests costs more than the time between
   */
  until<Found>(look: () => Found | Promise<Found>, everyMs = LOOK_EVERY_MS): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.#wait(async (isLastLook) => {
        try {
          resolve(await look());
          return true;
        } catch (error) {
          if (isLastLook) reject(asError(error));
          return isLastLook;
        }
      }, everyMs);
    });
  }

  /** Lets time pass until a promise has settled, without a limit. */
  during<Value>(awaited: Promise<Value>): Promise<Value> {
    let isSettled = false;
    const settled = awaited.finally(() => (isSettled = true));
    settled.catch(() => {});
    return new Promise((resolve, reject) => {
      this.#wait(async () => {
        if (isSettled) await settled.then(resolve, reject);
        return isSettled;
      }, LOOK_EVERY_MS);
    });
  }

  protected override async settle(): Promise<void> {
    for (let turns = 0; turns < this.#turnsNeeded(); turns++) {
      await settle();
      if (!this.#isAtWork()) continue;
      await this.#threadsAnswer();
      turns = -1;
    }
  }

  #turnsNeeded(): number {
    return this.nextInMs > FRAME_MS ? TURNS_FOR_LONGER : TURNS_FOR_A_FRAME;
  }

  #isAtWork(): boolean {
    return this.#isOwed() || process.getActiveResourcesInfo().some((name) => UNDER_WAY.has(name));
  }

  #isOwed(): boolean {
    return this.#debts.some((debt) => debt() > 0);
  }

  async #threadsAnswer(): Promise<void> {
    while (this.#isOwed()) await new Promise<void>((resolve) => systemClock.after(THREAD_LOOK_MS, resolve));
  }

  #wait(look: Waiter['look'], everyMs: number): void {
    const nowMs = this.monotonicMs();
    this.#waiters.add({ look, everyMs, nextMs: nowMs, lastMs: nowMs + PATIENCE_MS });
    if (!this.#isDriving) void this.#drive();
  }

  async #drive(): Promise<void> {
    this.#isDriving = true;
    await this.settle();
    while (this.#waiters.size > 0) {
      const due = [...this.#waiters].filter(({ nextMs }) => nextMs <= this.monotonicMs());
      await Promise.all(due.map((waiter) => this.#look(waiter)));
      // Nothing changes before the next timer is due.
      if (this.#waiters.size > 0)
        await this.advance(Math.max(LOOK_EVERY_MS, Math.min(this.nextInMs, PATIENCE_MS)));
    }
    this.#isDriving = false;
  }

  async #look(waiter: Waiter): Promise<void> {
    const isOver = await waiter.look(this.monotonicMs() > waiter.lastMs);
    if (isOver) this.#waiters.delete(waiter);
    waiter.nextMs = this.monotonicMs() + waiter.everyMs;
  }
}

/** Names of operations by the system in `process.getActiveResourcesInfo`. */
const UNDER_WAY: ReadonlySet<string> = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
  'TCPConnectWrap',
  'WriteWrap',
  'ShutdownWrap',
]);
