import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../../../src/kernel/clock.js';
import { loadResampling, type Resampling } from '../../../src/media/resampler.js';
import { createWheel, type Wheel } from '../../../src/media/wheel.js';
import { createMemoryLog } from '../memory-log.js';
import { EmulatorLog } from './emulator-log.js';
import { Faults } from './faults.js';
import type { Application, Order } from './jambonz/api-rules.js';
import { CallInfo } from './jambonz/call-info.js';
import { JambonzCall } from './jambonz/jambonz-call.js';
import { createRestApi } from './jambonz/rest-api.js';
import { PendingWork } from './pending-work.js';
import { Person, type Talk } from './person.js';
import { PhoneNetwork, type PhoneBehaviour } from './phone-network.js';
import { WebhookSender } from './webhook-sender.js';

export interface JambonzEmulatorOptions {
  clock?: Clock;
  /** What phones do, by their numbers; the others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /** Where an address that the service has named can really be reached, such as a public `https` one on this machine. */
  reach?: (url: string) => string;
  /** Where applications send their webhooks, by their SIDs. */
  applications?: Readonly<Record<string, Application>>;
  /** What the API answers to a change that the state of the call forbids; newer ones hide the reason behind 500. */
  wrongStateStatus?: 422 | 500;
}

/** A call that comes in, to a number whose application has these webhooks. */
export interface IncomingCall {
  from: string;
  to: string;
  webhookUrl: string;
  statusUrl?: string;
  talk?: Talk;
  /** The caller hangs up after so long. */
  staysMs?: number;
}

/**
 * jambonz on this machine: its REST API, its signed webhooks, its verbs, its `listen` streams over real sockets, and
 * phones behind it. Written from its documentation and the source of its servers.
 */
export class JambonzEmulator {
  readonly accountSid = '300be250-5a79-46bd-8393-45e7d26c2e34';
  readonly apiKey = 'a-key-for-tests';
  readonly webhookSecret = 'wh_secret_for_tests';
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: JambonzCall[] = [];
  /** Whether there is a server that could place a call. */
  hasServer = true;
  readonly #clock: Clock;
  readonly #wheel: Wheel;
  readonly #resampling: Resampling;
  readonly #sender: WebhookSender;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #options: JambonzEmulatorOptions;
  readonly #server: FastifyInstance;
  #waiting: (() => void)[] = [];

  private constructor(options: JambonzEmulatorOptions, resampling: Resampling) {
    this.#options = options;
    this.#resampling = resampling;
    this.#clock = options.clock ?? systemClock;
    this.network = new PhoneNetwork(this.#clock, options.phones);
    this.#wheel = createWheel({ clock: this.#clock, log: createMemoryLog().log });
    this.#sender = new WebhookSender(this.#clock, this.#reach, this.#closing.signal);
    this.#server = createRestApi({
      accountSid: this.accountSid,
      apiKey: this.apiKey,
      applications: options.applications ?? {},
      wrongStateStatus: options.wrongStateStatus ?? 500,
      faults: this.faults,
      log: this.log,
      pending: this.#pending,
      hasServer: () => this.hasServer,
      find: (sid) => this.call(sid),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: JambonzEmulatorOptions = {}): Promise<JambonzEmulator> {
    const emulator = new JambonzEmulator(options, await loadResampling());
    await emulator.#server.listen({ host: '127.0.0.1', port: 0 });
    return emulator;
  }

  /** Where its API begins. */
  get url(): string {
    return this.#server.listeningOrigin;
  }

  call(sid: string): JambonzCall | undefined {
    return this.calls.find((call) => call.sid === sid);
  }

  /** The call that is number `index`, when there is one. */
  async untilCall(index = 0): Promise<JambonzCall> {
    for (;;) {
      const call = this.calls[index];
      if (call) return call;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Somebody calls a number of ours. */
  callIn({ from, to, webhookUrl, statusUrl, talk, staysMs }: IncomingCall): JambonzCall {
    const { accountSid } = this;
    const further = { originating_sip_ip: '127.0.0.1', sip: { headers: {} } };
    const info = new CallInfo({ accountSid, from, to, direction: 'inbound' }, further, this.#clock);
    const call = this.#add(info, {
      call_hook: { url: webhookUrl, method: 'POST' },
      ...(statusUrl ? { call_status_hook: { url: statusUrl, method: 'POST' } } : {}),
      timeout: 60,
    });
    call.arrive(new Person(this.#clock, { talk, staysMs }));
    return call;
  }

  /** Resolves when no request is under way, in either direction: then a fake clock may go on. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Calls and streams that are not over. */
  get heldOpen(): number {
    return this.calls.filter(({ info }) => !info.isOver).length + this.#wheel.members;
  }

  /** Drops every call, and leaves nothing open: no socket, no timer. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of this.calls) call.drop();
    await this.#server.close();
    await this.idle();
  }

  readonly #reach = (url: string): string => this.#options.reach?.(url) ?? url;

  #create(order: Order): JambonzCall {
    const { accountSid } = this;
    const { from, to, tag } = order;
    const further = tag ? { customerData: tag } : {};
    const about = { accountSid, from, to: to.number, direction: 'outbound' as const };
    const call = this.#add(new CallInfo(about, further, this.#clock), order);
    const reference = tag?.['dial_ref'];
    call.place(typeof reference === 'string' ? reference : null);
    return call;
  }

  #add(info: CallInfo, order: ConstructorParameters<typeof JambonzCall>[1]): JambonzCall {
    const call = new JambonzCall(info, order, {
      clock: this.#clock,
      accountSid: this.accountSid,
      webhookSecret: this.webhookSecret,
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
    for (const resolve of this.#waiting.splice(0)) resolve();
    return call;
  }
}
