import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { CarrierHost, CarrierReport } from '#telephony/port/carrier.js';
import { occurs, type SandboxFaults } from './faults.js';

/** The additional delay of a report that later reports shall overtake, and of the second copy of a report. */
const EXTRA_DELAY_MS = 250;
/** Delays between attempts to deliver a report to a service that fails. */
const RETRY_DELAYS_MS = [500, 2_000, 8_000] as const;

/**
 * Delivers the status reports of the sandbox network (`SandboxCarrier`) to the service as a carrier's callbacks arrive:
 * delayed, in order for each call unless a fault is injected, and repeated if the service fails.
 */
export class StatusCallbackSender {
  readonly #host: CarrierHost;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #log: Log;
  readonly #faults: Required<SandboxFaults>;
  /** The last pending report of each call, by the network's id; the call's next report waits for it. */
  readonly #lastOfCall = new Map<string, Promise<void>>();
  readonly #inFlight = new Tasks();
  readonly #closing = new AbortController();

  constructor(
    parts: { host: CarrierHost; clock: Clock; ids: Ids; log: Log },
    faults: Required<SandboxFaults>,
  ) {
    this.#host = parts.host;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#log = parts.log;
    this.#faults = faults;
    // Every pending report listens to the signal.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Schedules the delivery, with the injected faults, and returns at once. */
  send(report: CarrierReport): void {
    const { reportDelayMs, reorderedReports, duplicatedReports } = this.#faults;
    if (occurs(reorderedReports, this.#ids))
      this.#inFlight.add(this.#deliver(report, reportDelayMs + EXTRA_DELAY_MS));
    else this.#sendInOrder(report, reportDelayMs);
    if (occurs(duplicatedReports, this.#ids))
      this.#inFlight.add(this.#deliver(report, reportDelayMs + EXTRA_DELAY_MS));
  }

  /** Delivers all pending reports, without further delays before them or between the attempts. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#inFlight.settled();
  }

  /** Delivers a report after the earlier ones of its call. */
  #sendInOrder(report: CarrierReport, delayMs: number): void {
    const previous = this.#lastOfCall.get(report.providerCallId) ?? Promise.resolve();
    const sent = previous.then(() => this.#deliver(report, delayMs));
    this.#lastOfCall.set(report.providerCallId, sent);
    this.#inFlight.add(
      sent.then(() => {
        if (this.#lastOfCall.get(report.providerCallId) === sent)
          this.#lastOfCall.delete(report.providerCallId);
      }),
    );
  }

  /** Delivers one report, with retries; a report that still fails is given up with an entry in the log. */
  async #deliver(report: CarrierReport, delayMs: number): Promise<void> {
    if (delayMs > 0) await sleep(this.#clock, delayMs, this.#closing.signal);
    for (const retryDelayMs of RETRY_DELAYS_MS) {
      if (await this.#tryDeliver(report)) return;
      await sleep(this.#clock, retryDelayMs, this.#closing.signal);
    }
    if (!(await this.#tryDeliver(report)))
      this.#log.error(
        { provider_call_id: report.providerCallId, status: report.status },
        'a status callback was given up',
      );
  }

  /** Tries to deliver a report once; false if the service fails. */
  async #tryDeliver(report: CarrierReport): Promise<boolean> {
    try {
      await this.#host.report(report);
      return true;
    } catch (error) {
      this.#log.warn({ err: error, provider_call_id: report.providerCallId }, 'a status callback failed');
      return false;
    }
  }
}
