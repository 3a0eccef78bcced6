import type { FastifyInstance } from 'fastify';
import { loadResampling, type Resampling } from '#media/samples/resampler.js';
import { EmulatedCarrier, type CarrierOptions } from './emulated-carrier.js';
import type { Application, Order } from '#test/support/emulators/jambonz/api-rules.js';
import { CallInfo } from '#test/support/emulators/jambonz/call-info.js';
import { JambonzCall } from '#test/support/emulators/jambonz/jambonz-call.js';
import { createRestApi } from '#test/support/emulators/jambonz/rest-api.js';
import { Person, type Talk } from './person.js';

export interface JambonzEmulatorOptions extends CarrierOptions {
  /** Webhook URLs of applications, by SID. */
  applications?: Readonly<Record<string, Application>>;
  /** The API's answer to a change that the call's state forbids; newer versions hide it behind a 500. */
  wrongStateStatus?: 422 | 500;
}

/** An inbound call to a number whose application has these webhooks. */
export interface IncomingCall {
  from: string;
  to: string;
  webhookUrl: string;
  statusUrl?: string;
  talk?: Talk;
  /** The caller hangs up after this time. */
  staysMs?: number;
}

/**
 * Emulated jambonz: its REST API, signed webhooks, verbs, `listen` streams over real sockets, and phones behind it.
 * Written from its documentation and the source of its servers.
 */
export class JambonzEmulator extends EmulatedCarrier<JambonzCall> {
  readonly accountSid = '300be250-5a79-46bd-8393-45e7d26c2e34';
  readonly apiKey = 'a-key-for-tests';
  readonly webhookSecret = 'wh_secret_for_tests';
  /** True if a server with capacity for a call exists. */
  hasServer = true;
  readonly #resampling: Resampling;
  protected readonly server: FastifyInstance;

  private constructor(options: JambonzEmulatorOptions, resampling: Resampling) {
    super(options);
    this.#resampling = resampling;
    this.server = createRestApi({
      accountSid: this.accountSid,
      apiKey: this.apiKey,
      applications: options.applications ?? {},
      wrongStateStatus: options.wrongStateStatus ?? 500,
      faults: this.faults,
      log: this.log,
      pending: this.parts.pending,
      hasServer: () => this.hasServer,
      find: (sid) => this.call(sid),
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: JambonzEmulatorOptions = {}): Promise<JambonzEmulator> {
    return new JambonzEmulator(options, await loadResampling()).listen();
  }

  call(sid: string): JambonzCall | undefined {
    return this.calls.find((call) => call.sid === sid);
  }

  /** Starts an inbound call to one of our numbers. */
  callIn({ from, to, webhookUrl, statusUrl, talk, staysMs }: IncomingCall): JambonzCall {
    const { accountSid } = this;
    const further = { originating_sip_ip: '127.0.0.1', sip: { headers: {} } };
    const info = new CallInfo({ accountSid, from, to, direction: 'inbound' }, further, this.parts.clock);
    const call = this.#add(info, {
      call_hook: { url: webhookUrl, method: 'POST' },
      ...(statusUrl ? { call_status_hook: { url: statusUrl, method: 'POST' } } : {}),
      timeout: 60,
    });
    call.arrive(new Person(this.parts.clock, { talk, staysMs }));
    return call;
  }

  #create(order: Order): JambonzCall {
    const { accountSid } = this;
    const { from, to, tag } = order;
    const further = tag ? { customerData: tag } : {};
    const about = { accountSid, from, to: to.number, direction: 'outbound' as const };
    const call = this.#add(new CallInfo(about, further, this.parts.clock), order);
    const reference = tag?.['dial_ref'];
    call.place(typeof reference === 'string' ? reference : null);
    return call;
  }

  #add(info: CallInfo, order: ConstructorParameters<typeof JambonzCall>[1]): JambonzCall {
    const { parts, accountSid, webhookSecret } = this;
    const own = { accountSid, webhookSecret, resampling: this.#resampling };
    return this.added(new JambonzCall(info, order, { ...parts, ...own }));
  }
}
