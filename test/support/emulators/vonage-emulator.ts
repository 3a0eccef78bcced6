import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { loadResampling, type Resampling } from '#media/samples/resampler.js';
import { Person, type Talk } from './person.js';
import { EmulatedCarrier, referenceIn, type CarrierOptions } from './emulated-carrier.js';
import { CallRecord } from '#test/support/emulators/vonage/call-record.js';
import { EmulatedCall, type CallOrder } from '#test/support/emulators/vonage/emulated-call.js';
import { createRestApi } from '#test/support/emulators/vonage/rest-api.js';
import type { CallbackAccount } from '#test/support/emulators/vonage/tokens.js';

export interface VonageEmulatorOptions extends CarrierOptions {
  /** Further calls within a second are refused; default no limit. */
  callsPerSecond?: number;
}

/** An inbound call. Numbers are E.164. */
export interface IncomingCall {
  from: string;
  to: string;
  /** The configuration of the application. */
  answerUrl: string;
  answerMethod?: 'GET' | 'POST';
  eventUrl?: string;
  talk?: Talk;
  /** The caller hangs up after this time. */
  staysMs?: number;
}

/** One application key for all emulators of a test file, because generating one is slow. */
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * Emulated Vonage: its Voice API, signed callbacks, NCCOs, sockets, and phones behind it. Written from the carrier's
 * references.
 */
export class VonageEmulator extends EmulatedCarrier<EmulatedCall> {
  readonly account: CallbackAccount = {
    apiKey: 'a1b2c3d4',
    applicationId: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
    signatureSecret: 'a-signature-secret-for-tests',
  };
  readonly #resampling: Resampling;
  readonly #callsPerSecond: number;
  protected readonly server: FastifyInstance;
  #createdAtMs: number[] = [];

  private constructor(options: VonageEmulatorOptions, resampling: Resampling) {
    super(options);
    this.#callsPerSecond = options.callsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#resampling = resampling;
    this.server = createRestApi({
      publicKey: KEYS.publicKey,
      applicationId: this.account.applicationId,
      nowMs: () => this.parts.clock.wallMs(),
      faults: this.faults,
      log: this.log,
      pending: this.parts.pending,
      isValidNumber: (number) => this.network.isValid(number),
      find: (id) => this.calls.find(({ record }) => record.uuid === id),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: VonageEmulatorOptions = {}): Promise<VonageEmulator> {
    return new VonageEmulator(options, await loadResampling()).listen();
  }

  /** The application's private key, in PEM. */
  get privateKey(): string {
    return pemOf(KEYS.privateKey);
  }

  /** Starts an inbound call to one of our numbers. */
  callIn(incoming: IncomingCall): EmulatedCall {
    const { from, to, answerUrl, answerMethod = 'GET', eventUrl = null, talk, staysMs } = incoming;
    const record = new CallRecord(
      { from: digitsOf(from), to: digitsOf(to), direction: 'inbound' },
      this.parts.clock,
    );
    const order = { answerUrl, answerMethod, eventUrl, ringingTimerSeconds: 60, machineDetection: false };
    const call = this.#add(record, order);
    call.arrive(new Person(this.parts.clock, { talk, staysMs }));
    return call;
  }

  #create(order: CallOrder & { to: string; from: string }): EmulatedCall | null {
    const now = this.parts.clock.monotonicMs();
    this.#createdAtMs = this.#createdAtMs.filter((at) => at > now - 1_000);
    if (this.#createdAtMs.length >= this.#callsPerSecond) return null;
    this.#createdAtMs.push(now);
    const { to, from } = order;
    const call = this.#add(new CallRecord({ to, from, direction: 'outbound' }, this.parts.clock), order);
    call.place(referenceIn(`${order.answerUrl} ${order.eventUrl}`));
    return call;
  }

  #add(record: CallRecord, order: CallOrder): EmulatedCall {
    const { parts, account } = this;
    return this.added(new EmulatedCall(record, order, { ...parts, account, resampling: this.#resampling }));
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}
