import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../../../src/kernel/clock.js';
import { loadResampling, type Resampling } from '../../../src/media/resampler.js';
import { createWheel, type Wheel } from '../../../src/media/wheel.js';
import { createMemoryLog } from '../memory-log.js';
import { EmulatorLog } from './emulator-log.js';
import { Faults } from './faults.js';
import { PendingWork } from './pending-work.js';
import { Person, type Talk } from './person.js';
import { PhoneNetwork, type PhoneBehaviour } from './phone-network.js';
import { CallRecord } from './vonage/call-record.js';
import { EmulatedCall, type CallOrder } from './vonage/emulated-call.js';
import { createRestApi } from './vonage/rest-api.js';
import type { CallbackAccount } from './vonage/tokens.js';
import { WebhookSender } from './webhook-sender.js';

export interface VonageEmulatorOptions {
  clock?: Clock;
  /** More than these within a second are refused; without it there is no such limit. */
  callsPerSecond?: number;
  /** What phones do, by their numbers; the others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /** Where an address that the service has named can really be reached. */
  reach?: (url: string) => string;
}

/** A call that comes in. Numbers are E.164. */
export interface IncomingCall {
  from: string;
  to: string;
  /** What the application has configured. */
  answerUrl: string;
  answerMethod?: 'GET' | 'POST';
  eventUrl?: string;
  talk?: Talk;
  /** The caller hangs up after so long. */
  staysMs?: number;
}

/** One application key for all emulators of a test file: making one takes its time. */
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * Vonage on this machine: its Voice API, its signed callbacks, its NCCOs and its sockets, and phones behind it. Written
 * from the carrier's own references.
 */
export class VonageEmulator {
  readonly account: CallbackAccount = {
    apiKey: 'a1b2c3d4',
    applicationId: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
    signatureSecret: 'a-signature-secret-for-tests',
  };
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: EmulatedCall[] = [];
  readonly #clock: Clock;
  readonly #wheel: Wheel;
  readonly #resampling: Resampling;
  readonly #reach: (url: string) => string;
  readonly #callsPerSecond: number;
  readonly #sender: WebhookSender;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #server: FastifyInstance;
  #createdAtMs: number[] = [];

  private constructor(options: VonageEmulatorOptions, resampling: Resampling) {
    this.#clock = options.clock ?? systemClock;
    this.#reach = options.reach ?? ((url) => url);
    this.#callsPerSecond = options.callsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#resampling = resampling;
    this.network = new PhoneNetwork(this.#clock, options.phones);
    this.#wheel = createWheel({ clock: this.#clock, log: createMemoryLog().log });
    this.#sender = new WebhookSender(this.#clock, this.#reach, this.#closing.signal);
    this.#server = createRestApi({
      publicKey: KEYS.publicKey,
      applicationId: this.account.applicationId,
      nowMs: () => this.#clock.wallMs(),
      faults: this.faults,
      log: this.log,
      pending: this.#pending,
      isValidNumber: (number) => this.network.isValid(number),
      find: (id) => this.calls.find(({ record }) => record.uuid === id),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: VonageEmulatorOptions = {}): Promise<VonageEmulator> {
    const emulator = new VonageEmulator(options, await loadResampling());
    await emulator.#server.listen({ host: '127.0.0.1', port: 0 });
    return emulator;
  }

  /** Where its API begins, in the place of `https://api.nexmo.com`. */
  get url(): string {
    return this.#server.listeningOrigin;
  }

  /** The application's private key, in PEM. */
  get privateKey(): string {
    return pemOf(KEYS.privateKey);
  }

  /** Somebody calls a number of ours. */
  callIn(incoming: IncomingCall): EmulatedCall {
    const { from, to, answerUrl, answerMethod = 'GET', eventUrl = null, talk, staysMs } = incoming;
    const record = new CallRecord(
      { from: digitsOf(from), to: digitsOf(to), direction: 'inbound' },
      this.#clock,
    );
    const order = { answerUrl, answerMethod, eventUrl, ringingTimerSeconds: 60, machineDetection: false };
    const call = this.#add(record, order);
    call.arrive(new Person(this.#clock, { talk, staysMs }));
    return call;
  }

  /** Resolves when no request is under way, in either direction: then a fake clock may go on. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Calls and sockets that are not over. */
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

  #create(order: CallOrder & { to: string; from: string }): EmulatedCall | null {
    const now = this.#clock.monotonicMs();
    this.#createdAtMs = this.#createdAtMs.filter((at) => at > now - 1_000);
    if (this.#createdAtMs.length >= this.#callsPerSecond) return null;
    this.#createdAtMs.push(now);
    const { to, from } = order;
    const call = this.#add(new CallRecord({ to, from, direction: 'outbound' }, this.#clock), order);
    // Our references are TypeIDs with the prefix `dial`.
    call.place(/dial_[0-9a-z]+/.exec(`${order.answerUrl} ${order.eventUrl}`)?.[0] ?? null);
    return call;
  }

  #add(record: CallRecord, order: CallOrder): EmulatedCall {
    const call = new EmulatedCall(record, order, {
      clock: this.#clock,
      account: this.account,
      sender: this.#sender,
      log: this.log,
      pending: this.#pending,
      faults: this.faults,
      closing: this.#closing.signal,
      network: this.network,
      wheel: this.#wheel,
      resampling: this.#resampling,
      reach: this.#reach,
    });
    this.calls.push(call);
    return call;
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function digitsOf(number: string): string {
  return number.replace(/^\+/, '');
}
