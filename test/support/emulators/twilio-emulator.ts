import type { FastifyInstance } from 'fastify';
import { CallQueue } from './call-queue.js';
import { EmulatedCarrier, referenceIn, type CarrierOptions } from './emulated-carrier.js';
import { Person, type Talk } from './person.js';
import { CallRecord, type Direction } from '#test/support/emulators/twilio/call-record.js';
import { DIALECTS, type Dialect } from '#test/support/emulators/twilio/dialect.js';
import { EmulatedCall } from '#test/support/emulators/twilio/emulated-call.js';
import { createRestApi } from '#test/support/emulators/twilio/rest-api.js';

export interface TwilioEmulatorOptions extends CarrierOptions {
  /** Its dialect; default Twilio's. */
  dialect?: keyof typeof DIALECTS;
  accountSid?: string;
  authToken?: string;
  /** The key of its signatures; Twilio uses the auth token. */
  signingKey?: string;
  /** Further calls wait as `queued`; default no limit. */
  callsPerSecond?: number;
  /** Finds our reference in a place request, for the network's journal; by default in its URLs. */
  referenceOf?: (order: URLSearchParams) => string | null;
}

/** An inbound call. */
export interface IncomingCall {
  from: string;
  to: string;
  /** The configuration of the number. */
  webhookUrl: string;
  statusUrl?: string;
  talk?: Talk;
  /** The caller hangs up after this time. */
  staysMs?: number;
}

/**
 * Emulated Twilio, or a compatible carrier: its REST API, signed webhooks, call documents, media streams over real
 * sockets, and phones behind it. Written from the carriers' references.
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

  /** Starts an inbound call to one of our numbers. */
  callIn(incoming: IncomingCall): EmulatedCall {
    const { from, to, webhookUrl, statusUrl, talk, staysMs } = incoming;
    const order = new URLSearchParams(statusUrl ? { StatusCallback: statusUrl } : {});
    const call = this.#add(order, from, to, 'inbound');
    call.arrive(new Person(this.parts.clock, { talk, staysMs }), webhookUrl);
    return call;
  }

  /** The number of calls and streams in progress. */
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
