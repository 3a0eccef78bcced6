import type { Clock } from '#kernel/time/clock.js';
import { rfc2822, type CallRecord } from './call-record.js';

/** A status callback to be sent. */
export interface StatusCallback {
  url: string;
  method: 'GET' | 'POST';
  form: Readonly<Record<string, string>>;
}

/** The status callbacks of a call, as its place request asks for them. */
export class StatusCallbacks {
  readonly #order: URLSearchParams;
  readonly #clock: Clock;
  #sequenceNumber = 0;

  constructor(order: URLSearchParams, clock: Clock) {
    this.#order = order;
    this.#clock = clock;
  }

  /** The callback for the present status; null if it was not requested. The sequence number grows anyway. */
  of(record: CallRecord, further: Readonly<Record<string, string>>): StatusCallback | null {
    const sequenceNumber = this.#sequenceNumber++;
    const url = this.#order.get('StatusCallback');
    if (!url || !this.#isWanted(record)) return null;
    const form = {
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(sequenceNumber),
      Timestamp: rfc2822(this.#clock.wallMs()),
      ...further,
    };
    return { url, method: methodIn(this.#order, 'StatusCallbackMethod'), form };
  }

  /** All ends count as `completed`, which is also the default without named events. */
  #isWanted({ status, isOver }: CallRecord): boolean {
    const wanted = this.#order.getAll('StatusCallbackEvent').flatMap((events) => events.split(' '));
    const event = isOver ? 'completed' : status === 'in-progress' ? 'answered' : status;
    return (wanted.length > 0 ? wanted : ['completed']).includes(event);
  }
}

/** The HTTP method for a URL of a place request. */
export function methodIn(order: URLSearchParams, name: string): 'GET' | 'POST' {
  return order.get(name) === 'GET' ? 'GET' : 'POST';
}
