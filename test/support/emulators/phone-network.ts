import type { Clock } from '#kernel/time/clock.js';
import { Person, type Talk } from './person.js';

/** What a phone does when it is called. */
export type PhoneBehaviour =
  /** Picks up after `ringMs`, and stays until somebody hangs up, or for `staysMs`. */
  | { kind: 'answers'; ringMs?: number; staysMs?: number; talk?: Talk; answeredBy?: AnsweredBy }
  | { kind: 'busy' }
  | { kind: 'no_answer' }
  | { kind: 'rejects'; ringMs?: number }
  /** Refused by carriers when the call is asked for. */
  | { kind: 'invalid' }
  /** Looks like a number, and belongs to nobody. */
  | { kind: 'unassigned' };

/** Who picks up. A machine's greeting lasts `greetingMs`, and ends with a beep or without one. */
export type AnsweredBy =
  { kind: 'human' } | { kind: 'machine'; greetingMs: number; beeps: boolean } | { kind: 'fax' };

/** How a call that nobody took came to its end. */
export type NotTaken = 'busy' | 'no_answer' | 'rejected' | 'failed';

/** A phone that the network has reached. */
export interface ReachedPhone {
  number: string;
  from: string;
  /** The caller's own reference for the call, where the carrier was told one. */
  reference: string | null;
  carrierCallId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** What the one who calls is told, in this order; exactly one of the last two, unless the call was given up. */
export interface DialEvents {
  ringing(): void;
  answered(person: Person): void;
  notTaken(how: NotTaken): void;
}

/** A call on its way to a phone, or at it. */
export interface DialledPhone {
  /** Stops the ringing, or leaves the one who has picked up alone. */
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

/** The telephone network behind an emulated carrier: every number is somebody, or nobody. */
export class PhoneNetwork {
  /** Every phone that was reached, in order: the network's own count, whatever the carrier says. */
  readonly reached: ReachedPhone[] = [];
  readonly #clock: Clock;
  readonly #phones = new Map<string, PhoneBehaviour>();

  constructor(clock: Clock, phones: Readonly<Record<string, PhoneBehaviour>> = {}) {
    this.#clock = clock;
    for (const [number, behaviour] of Object.entries(phones)) this.#phones.set(number, behaviour);
  }

  /** Puts a phone at a number, in the place of the one that was there. */
  install(number: string, behaviour: PhoneBehaviour): void {
    this.#phones.set(number, behaviour);
  }

  /** Numbers without a phone answer: a test names the ones that do something else. */
  behaviourOf(number: string): PhoneBehaviour {
    return this.#phones.get(number) ?? { kind: 'answers' };
  }

  /** Whether a carrier would take a call to it at all. */
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
