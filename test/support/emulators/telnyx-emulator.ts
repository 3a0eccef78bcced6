import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../../../src/kernel/clock.js';
import { createWheel, type Wheel } from '../../../src/media/wheel.js';
import { createMemoryLog } from '../memory-log.js';
import { EmulatorLog } from './emulator-log.js';
import { Faults } from './faults.js';
import { PendingWork } from './pending-work.js';
import { Person, type Talk } from './person.js';
import { PhoneNetwork, type PhoneBehaviour } from './phone-network.js';
import { createCallControlApi } from './telnyx/call-control-api.js';
import { CallControlCall, COMMANDS_REMEMBERED_MS, type LineOfCall } from './telnyx/call-control-call.js';
import type { DialOrder } from './telnyx/commands.js';
import { SignedSender } from './telnyx/signed-sender.js';
import { WebhookSender } from './webhook-sender.js';

export interface TelnyxEmulatorOptions {
  clock?: Clock;
  /** The address that the application is set up with: for calls that come in, and for lines that are added. */
  webhookUrl: string;
  /** What phones do, by their numbers; the others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /** Where an address that the service has named can really be reached. */
  reach?: (url: string) => string;
}

/**
 * Telnyx's Call Control on this machine: its REST API, its signed events and its media streams over real sockets, and
 * phones behind it. Written from Telnyx's own reference; commands that it would refuse are refused.
 */
export class TelnyxEmulator {
  readonly apiKey = 'KEY0123456789-for-tests';
  readonly connectionId = '1293384261075731499';
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: CallControlCall[] = [];
  readonly #options: TelnyxEmulatorOptions;
  readonly #clock: Clock;
  readonly #wheel: Wheel;
  readonly #sender: SignedSender;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #server: FastifyInstance;
  readonly #ordered = new Map<string, { call: CallControlCall; atMs: number }>();
  #waiting: (() => void)[] = [];

  private constructor(options: TelnyxEmulatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.network = new PhoneNetwork(this.#clock, options.phones);
    this.#wheel = createWheel({ clock: this.#clock, log: createMemoryLog().log });
    const sender = new WebhookSender(this.#clock, this.#reach, this.#closing.signal);
    this.#sender = new SignedSender(this.#clock, sender);
    this.#server = createCallControlApi({
      ...{ apiKey: this.apiKey, connectionId: this.connectionId },
      ...{ faults: this.faults, log: this.log, pending: this.#pending },
      isValidNumber: (number) => this.network.isValid(number),
      calls: () => this.calls,
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: TelnyxEmulatorOptions): Promise<TelnyxEmulator> {
    const emulator = new TelnyxEmulator(options);
    await emulator.#server.listen({ host: '127.0.0.1', port: 0 });
    return emulator;
  }

  /** Where its API begins, in the place of `https://api.telnyx.com`. */
  get url(): string {
    return this.#server.listeningOrigin;
  }

  /** What its requests are checked with. */
  get publicKey(): string {
    return this.#sender.publicKey;
  }

  /** The call that is number `index`, when there is one. */
  async untilCall(index = 0): Promise<CallControlCall> {
    for (;;) {
      const call = this.calls[index];
      if (call) return call;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Somebody calls a number of ours. */
  callIn({
    from,
    to,
    ...phone
  }: {
    from: string;
    to: string;
    talk?: Talk;
    staysMs?: number;
  }): CallControlCall {
    const call = this.#add({ direction: 'incoming', from, to, clientState: null });
    call.arrive(new Person(this.#clock, phone));
    return call;
  }

  /** Resolves when no request is under way, in either direction: then a fake clock may go on. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Drops every call, and leaves nothing open: no socket, no timer. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of [...this.calls]) call.drop();
    await this.#server.close();
    await this.idle();
  }

  readonly #reach = (url: string): string => this.#options.reach?.(url) ?? url;

  #create(order: DialOrder): CallControlCall {
    const { command_id: id, to, from, client_state: state, webhook_url: webhookUrl } = order;
    const atMs = this.#clock.monotonicMs();
    const known = this.#ordered.get(id ?? '');
    if (known && atMs - known.atMs < COMMANDS_REMEMBERED_MS) return known.call;
    const call = this.#add({ direction: 'outgoing', from, to, clientState: state ?? null, webhookUrl });
    if (id !== undefined) this.#ordered.set(id, { call, atMs });
    call.place(order, /dial_[0-9a-z]+/.exec(webhookUrl ?? '')?.[0] ?? null);
    return call;
  }

  #add(line: LineOfCall): CallControlCall {
    const call = new CallControlCall(line, {
      ...{ clock: this.#clock, sender: this.#sender, log: this.log, pending: this.#pending },
      ...{ faults: this.faults, closing: this.#closing.signal, network: this.network, wheel: this.#wheel },
      ...{ reach: this.#reach, connectionId: this.connectionId, webhookUrl: this.#options.webhookUrl },
      addLeg: (leg) => this.#add(leg),
    });
    this.calls.push(call);
    for (const resolve of this.#waiting.splice(0)) resolve();
    return call;
  }
}
