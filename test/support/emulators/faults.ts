import type { FastifyReply } from 'fastify';

/** A fault of one request of the service. */
export type ApiFault =
  /** Executed, but the connection breaks before the answer. */
  | { kind: 'lost_answer' }
  /** The connection breaks, and nothing is executed. */
  | { kind: 'broken_connection' }
  | { kind: 'too_many'; retryAfterSeconds: number }
  /** Refused for good. */
  | { kind: 'refused' }
  | { kind: 'server_error'; isDone: boolean }
  /** The first status callback is sent before the answer. */
  | { kind: 'callback_first' };

export type Purpose = 'incoming' | 'answered' | 'action' | 'status' | 'machine' | 'stream-status';

/** The subject of a request to the service. */
export interface CallbackAbout {
  purpose: Purpose;
  callSid: string;
  /** The number called, with or without a plus. */
  to: string;
  /** The call's status when the request is sent, or the name of the event. */
  status: string;
}

/** How a request to the service is delivered; by default once and at once. 0 copies drop it. */
export interface CallbackTravel {
  copies?: number;
  /** Later requests overtake a delayed one. */
  delayMs?: number;
}

/** The faults of calls; none at first. */
class CallFaults {
  /** For the next place requests, one each. */
  readonly creates: ApiFault[] = [];
  /** For the next transfers, one each. */
  readonly transfers: ApiFault[] = [];
  /** For the next hang-ups, one each. */
  readonly ends: ApiFault[] = [];
  /** For the next requests about a call of any kind, one each. */
  readonly updates: ApiFault[] = [];
  callback: (about: CallbackAbout) => CallbackTravel = () => ({});
  /** The requests to the service that were not delivered normally. */
  readonly astray: CallbackAbout[] = [];
}

/** The faults of an emulated carrier: for all numbers, unless there are some for the number. */
export class Faults extends CallFaults {
  readonly #byNumber = new Map<string, CallFaults>();

  /** The faults of calls to one number, independent of other numbers. */
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

/** A carrier's error answers. */
export interface ApiRefusals {
  tooMany(retryAfterSeconds: number): Error;
  refused(): Error;
  failed(): Error;
}

/** Applies faults that prevent the execution of a request. */
export function refuse(fault: ApiFault | undefined, reply: FastifyReply, words: ApiRefusals): void {
  if (fault?.kind === 'too_many') throw words.tooMany(fault.retryAfterSeconds);
  if (fault?.kind === 'refused') throw words.refused();
  if (fault?.kind === 'server_error' && !fault.isDone) throw words.failed();
  if (fault?.kind === 'broken_connection') breakConnection(reply, words);
}

/** Applies faults of an executed request. @param call resolves `told` when the service received a request about it */
export async function spoil(
  fault: ApiFault | undefined,
  reply: FastifyReply,
  { words, call }: { words: ApiRefusals; call: { told: Promise<void> } },
): Promise<void> {
  if (fault?.kind === 'server_error') throw words.failed();
  if (fault?.kind === 'lost_answer') breakConnection(reply, words);
  if (fault?.kind === 'callback_first') await call.told;
}

/** Destroys the connection; the request has no answer, and the handler ends by an error. */
function breakConnection(reply: FastifyReply, words: ApiRefusals): never {
  reply.hijack();
  reply.raw.destroy();
  throw words.failed();
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}
