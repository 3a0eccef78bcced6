import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../../../src/kernel/clock.js';
import { createWheel, type Wheel } from '../../../src/media/wheel.js';
import { createMemoryLog } from '../memory-log.js';
import { CallQueue } from './call-queue.js';
import { EmulatorLog } from './emulator-log.js';
import { Faults } from './faults.js';
import { PendingWork } from './pending-work.js';
import { Person, type Talk } from './person.js';
import { PhoneNetwork, type PhoneBehaviour } from './phone-network.js';
import { PlivoCall, type PlivoOrder } from './plivo/emulated-call.js';
import { createPlivoRestApi } from './plivo/rest-api.js';
import { WebhookSender } from './webhook-sender.js';

export interface PlivoEmulatorOptions {
  clock?: Clock;
  /** More than these are taken, and wait as `queued`; without it there is no such limit. */
  callsPerSecond?: number;
  /** What phones do, by their numbers; the others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /** Where an address that the service has named can really be reached; signatures cover it as it was named. */
  reach?: (url: string) => string;
}

/** A call that comes in; numbers are E.164. */
export interface PlivoIncomingCall {
  /** Null when the caller hides it. */
  from: string | null;
  to: string;
  /** What the application of the number has configured. */
  answerUrl: string;
  hangupUrl?: string;
  talk?: Talk;
  /** The caller hangs up after so long. */
  staysMs?: number;
}

/**
 * Plivo on this machine: its REST API, its signed callbacks, its call documents and its audio streams over real sockets,
 * and phones behind it. Written from Plivo's own reference.
 */
export class PlivoEmulator {
  readonly authId = 'MAZDU0MTIZNDU2NZG5MD';
  readonly authToken = 'a-plivo-token-for-tests';
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: PlivoCall[] = [];
  readonly #clock: Clock;
  readonly #queue: CallQueue;
  readonly #wheel: Wheel;
  readonly #sender: WebhookSender;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #options: PlivoEmulatorOptions;
  readonly #server: FastifyInstance;

  private constructor(options: PlivoEmulatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#queue = new CallQueue(this.#clock, options.callsPerSecond);
    this.network = new PhoneNetwork(this.#clock, options.phones);
    this.#wheel = createWheel({ clock: this.#clock, log: createMemoryLog().log });
    this.#sender = new WebhookSender(this.#clock, this.#reach, this.#closing.signal);
    const { authId, authToken, faults, log } = this;
    this.#server = createPlivoRestApi({
      ...{ authId, authToken, faults, log, pending: this.#pending, underWay: new WeakMap() },
      isValidNumber: (number) => this.network.isValid(number),
      // A request that waits its turn is no call yet.
      find: (id) => this.calls.find(({ callId, status }) => callId === id && status !== 'queued'),
      findRequest: (id) => this.calls.find(({ requestId }) => requestId === id),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: PlivoEmulatorOptions = {}): Promise<PlivoEmulator> {
    const emulator = new PlivoEmulator(options);
    await emulator.#server.listen({ host: '127.0.0.1', port: 0 });
    return emulator;
  }

  /** Where its API begins, in the place of `https://api.plivo.com`. */
  get url(): string {
    return this.#server.listeningOrigin;
  }

  /** The call that a request has become, or the one with that id. */
  call(id: string): PlivoCall | undefined {
    return this.calls.find(({ callId, requestId }) => callId === id || requestId === id);
  }

  /** Somebody calls a number of ours. */
  callIn({ from, to, answerUrl, hangupUrl, talk, staysMs }: PlivoIncomingCall): PlivoCall {
    const numbers = { from: from?.replace('+', '') ?? 'anonymous', to: to.replace('+', '') };
    const addresses = { answer_url: answerUrl, ...(hangupUrl ? { hangup_url: hangupUrl } : {}) };
    const call = this.#add({ ...numbers, ...addresses }, 'inbound');
    call.arrive(new Person(this.#clock, { talk, staysMs }));
    return call;
  }

  /** Resolves when no request is under way, in either direction: then a fake clock may go on. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Drops every call, and leaves nothing open: no socket, no timer. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of this.calls) call.drop();
    await this.#server.close();
    await this.idle();
  }

  readonly #reach = (url: string): string => this.#options.reach?.(url) ?? url;

  #create(order: PlivoOrder): PlivoCall {
    const call = this.#add(order, 'outbound');
    // Our references are TypeIDs with the prefix `dial`, in the addresses of the order.
    const reference = /dial_[0-9a-z]+/.exec(order['answer_url'] ?? '')?.[0] ?? null;
    void call.place(reference, this.#queue.nextTurn());
    return call;
  }

  #add(order: PlivoOrder, direction: 'inbound' | 'outbound'): PlivoCall {
    const { authId, authToken, faults, log, network } = this;
    const call = new PlivoCall(order, direction, {
      ...{ authId, authToken, faults, log, network },
      ...{ clock: this.#clock, sender: this.#sender, pending: this.#pending, wheel: this.#wheel },
      ...{ closing: this.#closing.signal, reach: this.#reach },
    });
    this.calls.push(call);
    return call;
  }
}
