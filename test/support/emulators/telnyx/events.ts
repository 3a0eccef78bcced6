import { randomUUID } from 'node:crypto';
import { sleep, toInstant, type Clock } from '../../../../src/kernel/clock.js';
import type { EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { Faults } from '../faults.js';
import type { SignedSender } from './signed-sender.js';

/** How often an event is sent that the service did not take. */
const MOST_ATTEMPTS = 3;

export interface EventParts {
  clock: Clock;
  sender: SignedSender;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/**
 * The events of one call: one after the other, so that without faults they arrive in the order of what happened. Each
 * has an id of its own, which its copies and retries have too.
 */
export class CallEvents {
  readonly #parts: EventParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** Resolves when the service has taken it, or never will. */
  send(name: string, url: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { clock, faults, pending, closing } = this.#parts;
    const callSid = String(payload['call_control_id']);
    const to = String(payload['to']);
    const { copies, delayMs } = faults.travelOf({ purpose: 'status', callSid, to, status: name });
    const data = {
      record_type: 'event',
      ...{ event_type: name, id: randomUUID(), occurred_at: `${toInstant(clock.wallMs()).slice(0, -1)}000Z` },
      payload,
    };
    const deliver = async () => {
      for (let copy = 0; copy < copies && !closing.aborted; copy++) await this.#deliver(name, url, data);
    };
    if (delayMs > 0) return sleep(clock, delayMs, closing).then(() => pending.during(deliver()));
    const sent = pending.during(this.#last.then(deliver));
    this.#last = sent;
    return sent;
  }

  async #deliver(name: string, url: string, data: { payload: object }): Promise<void> {
    const { sender, log, closing } = this.#parts;
    const form = Object.fromEntries(
      Object.entries(data.payload).map(([key, value]) => [key, value === null ? '' : String(value)]),
    );
    for (let attempt = 1; attempt <= MOST_ATTEMPTS && !closing.aborted; attempt++) {
      const body = JSON.stringify({ data, meta: { attempt, delivered_to: url } });
      const answer = await sender.send(url, 'application/json', body);
      const status = answer?.status ?? null;
      log.add({ kind: 'sent', purpose: name, callSid: form['call_control_id']!, url, form, status });
      if (status !== null && status >= 200 && status < 300) return;
      if (!closing.aborted) log.complain(attempt, `${name}: the service answered ${status ?? 'nothing'}`);
    }
  }
}
