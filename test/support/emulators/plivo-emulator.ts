import type { FastifyInstance } from 'fastify';
import { CallQueue } from './call-queue.js';
import { Person, type Talk } from './person.js';
import { EmulatedCarrier, referenceIn, type CarrierOptions } from './emulated-carrier.js';
import { PlivoCall, type PlivoOrder } from '#test/support/emulators/plivo/emulated-call.js';
import { createPlivoRestApi } from '#test/support/emulators/plivo/rest-api.js';

export interface PlivoEmulatorOptions extends CarrierOptions {
  /** Further calls wait as `queued`; default no limit. */
  callsPerSecond?: number;
}

/** An inbound call; numbers are E.164. */
export interface PlivoIncomingCall {
  /** Null for a hidden number. */
  from: string | null;
  to: string;
  /** The configuration of the number's application. */
  answerUrl: string;
  hangupUrl?: string;
  talk?: Talk;
  /** The caller hangs up after this time. */
  staysMs?: number;
}

/**
 * Emulated Plivo: its REST API, signed callbacks, call documents, audio streams over real sockets, and phones behind
 * it. Written from Plivo's reference.
 */
export class PlivoEmulator extends EmulatedCarrier<PlivoCall> {
  readonly authId = 'MAZDU0MTIZNDU2NZG5MD';
  readonly authToken = 'a-plivo-token-for-tests';
  readonly #queue: CallQueue;
  protected readonly server: FastifyInstance;

  private constructor(options: PlivoEmulatorOptions) {
    super(options);
    this.#queue = new CallQueue(this.parts.clock, options.callsPerSecond);
    const { authId, authToken, faults, log } = this;
    this.server = createPlivoRestApi({
      authId,
      authToken,
      faults,
      log,
      pending: this.parts.pending,
      underWay: new WeakMap(),
      isValidNumber: (number) => this.network.isValid(number),
      // A queued request is not a call yet.
      find: (id) => this.calls.find(({ callId, status }) => callId === id && status !== 'queued'),
      findRequest: (id) => this.calls.find(({ requestId }) => requestId === id),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: PlivoEmulatorOptions = {}): Promise<PlivoEmulator> {
    return new PlivoEmulator(options).listen();
  }

  /** The call of a request id or call id. */
  call(id: string): PlivoCall | undefined {
    return this.calls.find(({ callId, requestId }) => callId === id || requestId === id);
  }

  /** Starts an inbound call to one of our numbers. */
  callIn({ from, to, answerUrl, hangupUrl, talk, staysMs }: PlivoIncomingCall): PlivoCall {
    const numbers = { from: from?.replace('+', '') ?? 'anonymous', to: to.replace('+', '') };
    const addresses = { answer_url: answerUrl, ...(hangupUrl ? { hangup_url: hangupUrl } : {}) };
    const call = this.#add({ ...numbers, ...addresses }, 'inbound');
    call.arrive(new Person(this.parts.clock, { talk, staysMs }));
    return call;
  }

  #create(order: PlivoOrder): PlivoCall {
    const call = this.#add(order, 'outbound');
    void call.place(referenceIn(order['answer_url'] ?? ''), this.#queue.nextTurn());
    return call;
  }

  #add(order: PlivoOrder, direction: 'inbound' | 'outbound'): PlivoCall {
    const { parts, authId, authToken } = this;
    return this.added(new PlivoCall(order, direction, { ...parts, authId, authToken }));
  }
}
