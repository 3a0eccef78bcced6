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
import { CallRecord, type Direction } from './twilio/call-record.js';
import { DIALECTS, type Dialect } from './twilio/dialect.js';
import { EmulatedCall } from './twilio/emulated-call.js';
import { createRestApi } from './twilio/rest-api.js';
import { WebhookSender } from './webhook-sender.js';

export interface TwilioEmulatorOptions {
  /** Whose words it speaks; Twilio's without it. */
  dialect?: keyof typeof DIALECTS;
  accountSid?: string;
  authToken?: string;
  /** What it signs its requests with; Twilio uses the auth token for that. */
  signingKey?: string;
  clock?: Clock;
  /** More than these are taken, and wait as `queued`; without it there is no such limit. */
  callsPerSecond?: number;
  /** What phones do, by their numbers; the others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /**
   * Where an address that the service has named can really be reached, such as a public `https` one on this machine.
   * Signatures cover the address as it was named.
   */
  reach?: (url: string) => string;
  /** Our own reference in a request for a call, for the network's ledger; usually found in its addresses. */
  referenceOf?: (order: URLSearchParams) => string | null;
}

/** A call that comes in. */
export interface IncomingCall {
  from: string;
  to: string;
  /** What the number's owner has configured. */
  webhookUrl: string;
  statusUrl?: string;
  talk?: Talk;
  /** The caller hangs up after so long. */
  staysMs?: number;
}

/**
 * Twilio, or a carrier that looks like it, on this machine: its REST API, its signed webhooks, its call documents and
 * its media streams over real sockets, and phones behind it. Written from the carriers' own references.
 */
export class TwilioEmulator {
  readonly accountSid: string;
  readonly authToken: string;
  readonly signingKey: string;
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: EmulatedCall[] = [];
  readonly #dialect: Dialect;
  readonly #clock: Clock;
  readonly #queue: CallQueue;
  readonly #wheel: Wheel;
  readonly #sender: WebhookSender;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #options: TwilioEmulatorOptions;
  readonly #server: FastifyInstance;
  #waiting: (() => void)[] = [];

  private constructor(options: TwilioEmulatorOptions) {
    this.#options = options;
    this.#dialect = DIALECTS[options.dialect ?? 'twilio'];
    this.#clock = options.clock ?? systemClock;
    this.accountSid = options.accountSid ?? `AC${'0123456789abcdef'.repeat(2)}`;
    this.authToken = options.authToken ?? 'a-token-for-tests';
    this.signingKey = options.signingKey ?? this.authToken;
    this.#queue = new CallQueue(this.#clock, options.callsPerSecond);
    this.network = new PhoneNetwork(this.#clock, options.phones);
    this.#wheel = createWheel({ clock: this.#clock, log: createMemoryLog().log });
    this.#sender = new WebhookSender(this.#clock, this.#reach, this.#closing.signal);
    this.#server = createRestApi({
      dialect: this.#dialect,
      accountSid: this.accountSid,
      authToken: this.authToken,
      faults: this.faults,
      log: this.log,
      pending: this.#pending,
      isValidNumber: (number) => this.network.isValid(number),
      calls: () => this.calls,
      find: (sid) => this.call(sid),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: TwilioEmulatorOptions = {}): Promise<TwilioEmulator> {
    const emulator = new TwilioEmulator(options);
    await emulator.#server.listen({ host: '127.0.0.1', port: 0 });
    return emulator;
  }

  /** Where its API begins, such as `http://127.0.0.1:4433`, in the place of `https://api.twilio.com`. */
  get url(): string {
    return this.#server.listeningOrigin;
  }

  call(sid: string): EmulatedCall | undefined {
    return this.calls.find(({ record }) => record.sid === sid);
  }

  /** The call that is number `index`, when there is one. */
  async untilCall(index = 0): Promise<EmulatedCall> {
    for (;;) {
      const call = this.calls[index];
      if (call) return call;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Somebody calls a number of ours. */
  callIn(incoming: IncomingCall): EmulatedCall {
    const { from, to, webhookUrl, statusUrl, talk, staysMs } = incoming;
    const order = new URLSearchParams(statusUrl ? { StatusCallback: statusUrl } : {});
    const call = this.#add(order, from, to, 'inbound');
    call.arrive(new Person(this.#clock, { talk, staysMs }), webhookUrl);
    return call;
  }

  /** Resolves when no request is under way, in either direction: then a fake clock may go on. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Calls and streams that are not over. */
  get heldOpen(): number {
    return this.calls.filter(({ record }) => !record.isOver).length + this.#wheel.members;
  }

  /** Drops every call, and leaves nothing open: no socket, no timer. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of this.calls) call.drop();
    await this.#server.close();
    await this.idle();
  }

  readonly #reach = (url: string): string => this.#options.reach?.(url) ?? url;

  #create(order: URLSearchParams): EmulatedCall {
    const call = this.#add(order, order.get('From')!, order.get('To')!, 'outbound-api');
    const reference = (this.#options.referenceOf ?? referenceInAddresses)(order);
    void call.place(reference, this.#queue.nextTurn());
    return call;
  }

  #add(order: URLSearchParams, from: string, to: string, direction: Direction): EmulatedCall {
    const { accountSid } = this;
    const record = new CallRecord(
      { accountSid, sid: this.#dialect.callSid(), from, to, direction },
      this.#clock,
    );
    const call = new EmulatedCall(record, order, {
      clock: this.#clock,
      dialect: this.#dialect,
      signingKey: this.signingKey,
      sender: this.#sender,
      log: this.log,
      pending: this.#pending,
      faults: this.faults,
      closing: this.#closing.signal,
      network: this.network,
      wheel: this.#wheel,
      reach: this.#reach,
    });
    this.calls.push(call);
    for (const resolve of this.#waiting.splice(0)) resolve();
    return call;
  }
}

/** Our references are TypeIDs with the prefix `dial`. */
function referenceInAddresses(order: URLSearchParams): string | null {
  const addresses = `${order.get('Url')} ${order.get('StatusCallback')}`;
  return /dial_[0-9a-z]+/.exec(addresses)?.[0] ?? null;
}
