import type { FastifyInstance } from 'fastify';
import { CallQueue } from './call-queue.js';
import { EmulatedCarrier, referenceIn, type CarrierOptions } from './emulated-carrier.js';
import { Person, type Talk } from './person.js';
import { CallRecord, type Direction } from '#test/support/emulators/twilio/call-record.js';
import { DIALECTS, type Dialect } from '#test/support/emulators/twilio/dialect.js';
import { EmulatedCall } from '#test/support/emulators/twilio/emulated-call.js';
import { createRestApi } from '#test/support/emulators/twilio/rest-api.js';

export interface TwilioEmulatorOptions extends CarrierOptions {
  /** Whose words it speaks; Twilio's without it. */
  dialect?: keyof typeof DIALECTS;
  accountSid?: string;
  authToken?: string;
  /** What it signs its requests with; Twilio uses the auth token for that. */
  signingKey?: string;
  /** More than these are taken, and wait as `queued`; without it there is no such limit. */
  callsPerSecond?: number;
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
export class TwilioEmulator extends EmulatedCarrier<EmulatedCall> {
  readonly accountSid: string;
  readonly authToken: string;
  readonly signingKey: string;
  readonly #dialect: Dialect;
  readonly #queue: CallQueue;
  readonly #options: TwilioEmulatorOptions;
  protected readonly server: FastifyInstance;

  private constructor(options: TwilioEmulatorOptions) {
    super(options);
    this.#options = options;
    this.#dialect = DIALECTS[options.dialect ?? 'twilio'];
    this.accountSid = options.accountSid ?? `AC${'0123456789abcdef'.repeat(2)}`;
    this.authToken = options.authToken ?? 'a-token-for-tests';
    this.signingKey = options.signingKey ?? this.authToken;
    this.#queue = new CallQueue(this.parts.clock, options.callsPerSecond);
    this.server = createRestApi({
      dialect: this.#dialect,
      accountSid: this.accountSid,
      authToken: this.authToken,
      faults: this.faults,
      log: this.log,
      pending: this.parts.pending,
      isValidNumber: (number) => this.network.isValid(number),
      calls: () => this.calls,
      find: (sid) => this.call(sid),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: TwilioEmulatorOptions = {}): Promise<TwilioEmulator> {
    return new TwilioEmulator(options).listen();
  }

  call(sid: string): EmulatedCall | undefined {
    return this.calls.find(({ record }) => record.sid === sid);
  }

  /** Somebody calls a number of ours. */
  callIn(incoming: IncomingCall): EmulatedCall {
    const { from, to, webhookUrl, statusUrl, talk, staysMs } = incoming;
    const order = new URLSearchParams(statusUrl ? { StatusCallback: statusUrl } : {});
    const call = this.#add(order, from, to, 'inbound');
    call.arrive(new Person(this.parts.clock, { talk, staysMs }), webhookUrl);
    return call;
  }

  /** Calls and streams that are not over. */
  get heldOpen(): number {
    return this.calls.filter(({ record }) => !record.isOver).length + this.parts.pacingTimer.members;
  }

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
      this.parts.clock,
    );
    const { parts, signingKey } = this;
    return this.added(new EmulatedCall(record, order, { ...parts, dialect: this.#dialect, signingKey }));
  }
}

function referenceInAddresses(order: URLSearchParams): string | null {
  return referenceIn(`${order.get('Url')} ${order.get('StatusCallback')}`);
}
