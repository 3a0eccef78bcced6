import type { FastifyReply } from 'fastify';

/** What goes wrong with one request of the service. */
export type ApiFault =
  /** It is done, and the connection breaks before the answer. */
  | { kind: 'lost_answer' }
  /** The connection breaks, and nothing is done. */
  | { kind: 'broken_connection' }
  | { kind: 'too_many'; retryAfterSeconds: number }
  /** It is not done, and will not be. */
  | { kind: 'refused' }
  | { kind: 'server_error'; isDone: boolean }
  /** The first status callback comes before the answer. */
  | { kind: 'callback_first' };

export type Purpose = 'incoming' | 'answered' | 'action' | 'status' | 'machine' | 'stream-status';

/** What a request to the service is about. */
export interface CallbackAbout {
  purpose: Purpose;
  callSid: string;
  /** The number that the call goes to, with or without a plus. */
  to: string;
  /** The call's status when it is sent; the name of the event where a carrier tells events. */
  status: string;
}

/** How a request to the service travels: once and at once, if nothing else is said. A dropped one has no copies. */
export interface CallbackTravel {
  copies?: number;
  /** A delayed one is overtaken by those that come after it. */
  delayMs?: number;
}

/** What goes wrong with calls; at first nothing. */
class CallFaults {
  /** For the next requests for a call, one each. */
  readonly creates: ApiFault[] = [];
  /** For the next requests to hand a call over, one each. */
  readonly transfers: ApiFault[] = [];
  /** For the next requests to end a call, one each. */
  readonly ends: ApiFault[] = [];
  /** For the next requests about a call, of whatever kind, one each. */
  readonly updates: ApiFault[] = [];
  callback: (about: CallbackAbout) => CallbackTravel = () => ({});
  /** The requests to the service that did not travel as they usually do. */
  readonly astray: CallbackAbout[] = [];
}

/** What goes wrong at an emulated carrier: with calls to anybody, unless there is something for that very number. */
export class Faults extends CallFaults {
  readonly #byNumber = new Map<string, CallFaults>();

  /** What goes wrong with calls to one number, whatever happens to others at the same time. */
  at(number: string): CallFaults {
    const digits = digitsOf(number);
    const known = this.#byNumber.get(digits) ?? new CallFaults();
    this.#byNumber.set(digits, known);
    return known;
  }

  nextCreate(to: string): ApiFault | undefined {
    return this.at(to).creates.shift() ?? this.creates.shift();
  }

  nextUpdate(to: string, kind: 'transfers' | 'ends' | 'updates'): ApiFault | undefined {
    const own = this.at(to);
    const queues = [own[kind], own.updates, this[kind], this.updates];
    return queues.find(({ length }) => length > 0)?.shift();
  }

  travelOf(about: CallbackAbout): Required<CallbackTravel> {
    const own = this.at(about.to);
    const travel = { copies: 1, delayMs: 0, ...this.callback(about), ...own.callback(about) };
    if (travel.copies !== 1 || travel.delayMs > 0) own.astray.push(about);
    return travel;
  }
}

/** A carrier's own words for what it does not do. */
export interface ApiRefusals {
  tooMany(retryAfterSeconds: number): Error;
  refused(): Error;
  failed(): Error;
}

/** Faults that keep a request from being done. */
export function refuse(fault: ApiFault | undefined, reply: FastifyReply, words: ApiRefusals): void {
  if (fault?.kind === 'too_many') throw words.tooMany(fault.retryAfterSeconds);
  if (fault?.kind === 'refused') throw words.refused();
  if (fault?.kind === 'server_error' && !fault.isDone) throw words.failed();
  if (fault?.kind === 'broken_connection') breakConnection(reply, words);
}

/** Faults of a request that was done. @param call resolves `told` when the service has been told of it */
export async function spoil(
  fault: ApiFault | undefined,
  reply: FastifyReply,
  { words, call }: { words: ApiRefusals; call: { told: Promise<void> } },
): Promise<void> {
  if (fault?.kind === 'server_error') throw words.failed();
  if (fault?.kind === 'lost_answer') breakConnection(reply, words);
  if (fault?.kind === 'callback_first') await call.told;
}

/** Destroys the connection; the request has no answer, and its handler is left. */
function breakConnection(reply: FastifyReply, words: ApiRefusals): never {
  reply.hijack();
  reply.raw.destroy();
  throw words.failed();
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}
