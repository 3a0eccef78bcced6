import type { Clock } from '#kernel/time/clock.js';
import { Person, type Talk } from './person.js';

/** The behaviour of a called phone. */
export type PhoneBehaviour =
  /** Answers after `ringMs`, and stays until either side hangs up, or for `staysMs`. */
  | { kind: 'answers'; ringMs?: number; staysMs?: number; talk?: Talk; answeredBy?: AnsweredBy }
  | { kind: 'busy' }
  | { kind: 'no_answer' }
  | { kind: 'rejects'; ringMs?: number }
  /** Refused by carriers when the call is placed. */
  | { kind: 'invalid' }
  /** A valid number without a phone. */
  | { kind: 'unassigned' };

/** Who answers. A machine's greeting lasts `greetingMs` and may end with a beep. */
export type AnsweredBy =
  { kind: 'human' } | { kind: 'machine'; greetingMs: number; beeps: boolean } | { kind: 'fax' };

/** How an unanswered call ended. */
export type NotTaken = 'busy' | 'no_answer' | 'rejected' | 'failed';

/** A phone that the network has reached. */
export interface ReachedPhone {
  number: string;
  from: string;
  /** The service's reference, if the carrier received one. */
  reference: string | null;
  carrierCallId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Events for the dialling side, in this order; exactly one of the last two, unless the call was cancelled. */
export interface DialEvents {
  ringing(): void;
  answered(person: Person): void;
  notTaken(how: NotTaken): void;
}

/** A call to a phone. */
export interface DialledPhone {
  /** Stops the ringing, or ends the call. */
  hangUp(): void;
}

export interface DialRequest {
  to: string;
  from: string;
  reference: string | null;
  carrierCallId: string;
  ringLimitMs: number;
}

const USUAL_RING_MS = 1_000;
const CONNECT_MS = 100;
const E164 = /^\+[1-9]\d{6,14}$/;

/** The telephone network behind an emulated carrier. */
export class PhoneNetwork {
  /** Every phone reached, in order: counted by the network, whatever the carrier reports. */
  readonly reached: ReachedPhone[] = [];
  readonly #clock: Clock;
  readonly #phones = new Map<string, PhoneBehaviour>();

  constructor(clock: Clock, phones: Readonly<Record<string, PhoneBehaviour>> = {}) {
    this.#clock = clock;
    for (const [number, behaviour] of Object.entries(phones)) this.#phones.set(number, behaviour);
  }

  /** Sets the phone of a number. */
  install(number: string, behaviour: PhoneBehaviour): void {
    this.#phones.set(number, behaviour);
  }

  /** The behaviour of a number; by default it answers. */
  behaviourOf(number: string): PhoneBehaviour {
    return this.#phones.get(number) ?? { kind: 'answers' };
  }

  /** True if a carrier would accept a call to it. */
  isValid(number: string): boolean {
    return E164.test(number) && this.behaviourOf(number).kind !== 'invalid';
  }

  reachedBy(reference: string): ReachedPhone[] {
    return this.reached.filter((phone) => phone.reference === reference);
  }

  dial(request: DialRequest, events: DialEvents): DialledPhone {
    const behaviour = this.behaviourOf(request.to);
    let cancel = this.#clock.after(CONNECT_MS, () => (cancel = this.#connect(request, behaviour, events)));
    return { hangUp: () => cancel() };
  }

  #connect(request: DialRequest, behaviour: PhoneBehaviour, events: DialEvents): () => void {
    if (behaviour.kind === 'unassigned' || !this.isValid(request.to)) {
      events.notTaken('failed');
      return () => {};
    }
    const { to, from, reference, carrierCallId } = request;
    this.reached.push({ number: to, from, reference, carrierCallId, at: this.#clock.wallMs() });
    if (behaviour.kind === 'busy') {
      events.notTaken('busy');
      return () => {};
    }
    events.ringing();
    return this.#ring(request, behaviour, events);
  }

  #ring({ ringLimitMs }: DialRequest, behaviour: PhoneBehaviour, events: DialEvents): () => void {
    const ringMs = 'ringMs' in behaviour ? (behaviour.ringMs ?? USUAL_RING_MS) : USUAL_RING_MS;
    if (behaviour.kind === 'no_answer' || ringMs > ringLimitMs)
      return this.#clock.after(ringLimitMs, () => events.notTaken('no_answer'));
    return this.#clock.after(ringMs, () => {
      if (behaviour.kind === 'answers') events.answered(new Person(this.#clock, behaviour));
      else events.notTaken('rejected');
    });
  }
}
