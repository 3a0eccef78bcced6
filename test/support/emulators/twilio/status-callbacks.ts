import type { Clock } from '#kernel/time/clock.js';
import { rfc2822, type CallRecord } from './call-record.js';

/** A status callback, ready to be sent. */
export interface StatusCallback {
  url: string;
  method: 'GET' | 'POST';
  form: Readonly<Record<string, string>>;
}

/** What is told of a call's progress, as its order asks for it. */
export class StatusCallbacks {
  readonly #order: URLSearchParams;
  readonly #clock: Clock;
  #sequenceNumber = 0;

  constructor(order: URLSearchParams, clock: Clock) {
    this.#order = order;
    this.#clock = clock;
  }

  /**
   * What to send now that the call has its status; null when nobody wants to know. It is counted all the same.
   */
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

  /** All ends come under the name `completed`, which is also all that is told to those who name no events. */
  #isWanted({ status, isOver }: CallRecord): boolean {
    const wanted = this.#order.getAll('StatusCallbackEvent').flatMap((events) => events.split(' '));
    const event = isOver ? 'completed' : status === 'in-progress' ? 'answered' : status;
    return (wanted.length > 0 ? wanted : ['completed']).includes(event);
  }
}

/** How an address of an order is to be asked. */
export function methodIn(order: URLSearchParams, name: string): 'GET' | 'POST' {
  return order.get(name) === 'GET' ? 'GET' : 'POST';
}
