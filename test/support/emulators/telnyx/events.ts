import { randomUUID } from 'node:crypto';
import { toInstant } from '#kernel/time/clock.js';
import { RequestTurns, type RequestParts } from '#test/support/emulators/request-turns.js';
import type { SignedSender } from './signed-sender.js';

/** Delivery attempts of an event. */
const MOST_ATTEMPTS = 3;

export interface EventParts extends RequestParts {
  sender: SignedSender;
}

/** The events of one call. Each has an id, which its copies and retries share. */
export class CallEvents {
  readonly #parts: EventParts;
  readonly #turns: RequestTurns;

  constructor(parts: EventParts) {
    this.#parts = parts;
    this.#turns = new RequestTurns(parts);
  }

  /** Resolves when the service has accepted the event, or after the last attempt. */
  async send(name: string, url: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { clock, faults } = this.#parts;
    const callSid = String(payload['call_control_id']);
    const to = String(payload['to']);
    const travel = faults.travelOf({ purpose: 'status', callSid, to, status: name });
    const data = {
      record_type: 'event',
      event_type: name,
      id: randomUUID(),
      occurred_at: `${toInstant(clock.wallMs()).slice(0, -1)}000Z`,
      payload,
    };
    await this.#turns.take(travel, () => this.#insist(name, url, data));
  }

  async #insist(name: string, url: string, data: { payload: object }): Promise<null> {
    const { sender, log, closing } = this.#parts;
    const form = Object.fromEntries(
      Object.entries(data.payload).map(([key, value]) => [key, value === null ? '' : String(value)]),
    );
    for (let attempt = 1; attempt <= MOST_ATTEMPTS && !closing.aborted; attempt++) {
      const body = JSON.stringify({ data, meta: { attempt, delivered_to: url } });
      const answer = await sender.send(url, 'application/json', body);
      const status = answer?.status ?? null;
      log.add({ kind: 'sent', purpose: name, callSid: form['call_control_id']!, url, form, status });
      if (status !== null && status >= 200 && status < 300) return null;
      if (!closing.aborted) log.complain(attempt, `${name}: the service answered ${status ?? 'nothing'}`);
    }
    return null;
  }
}
