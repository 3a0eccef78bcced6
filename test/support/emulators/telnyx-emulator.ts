import type { FastifyInstance } from 'fastify';
import { Person, type Talk } from './person.js';
import { EmulatedCarrier, referenceIn, type CarrierOptions } from './emulated-carrier.js';
import { createCallControlApi } from '#test/support/emulators/telnyx/call-control-api.js';
import {
  CallControlCall,
  COMMANDS_REMEMBERED_MS,
  type LineOfCall,
} from '#test/support/emulators/telnyx/call-control-call.js';
import type { DialOrder } from '#test/support/emulators/telnyx/commands.js';
import { SignedSender } from '#test/support/emulators/telnyx/signed-sender.js';

export interface TelnyxEmulatorOptions extends CarrierOptions {
  /** The application's URL, for inbound calls and additional legs. */
  webhookUrl: string;
}

/**
 * Emulated Telnyx Call Control: its REST API, signed events, media streams over real sockets, and phones behind it.
 * Written from Telnyx's reference; it refuses the commands that Telnyx would refuse.
 */
export class TelnyxEmulator extends EmulatedCarrier<CallControlCall> {
  readonly apiKey = 'KEY0123456789-for-tests';
  readonly connectionId = '1293384261075731499';
  readonly #options: TelnyxEmulatorOptions;
  readonly #sender: SignedSender;
  protected readonly server: FastifyInstance;
  readonly #ordered = new Map<string, { call: CallControlCall; atMs: number }>();

  private constructor(options: TelnyxEmulatorOptions) {
    super(options);
    this.#options = options;
    this.#sender = new SignedSender(this.parts.clock, this.parts.sender);
    this.server = createCallControlApi({
      apiKey: this.apiKey,
      connectionId: this.connectionId,
      faults: this.faults,
      log: this.log,
      pending: this.parts.pending,
      isValidNumber: (number) => this.network.isValid(number),
      calls: () => this.calls,
      create: (order) => this.#create(order),
    });
  }

  /** An emulator that listens on a free port. */
  static async open(options: TelnyxEmulatorOptions): Promise<TelnyxEmulator> {
    return new TelnyxEmulator(options).listen();
  }

  /** The public key of its signatures. */
  get publicKey(): string {
    return this.#sender.publicKey;
  }

  /** Starts an inbound call to one of our numbers. */
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
    // A caller without any patience hangs up when the service answers.
    const { staysMs, ...patient } = phone;
    call.leavesUnanswered = staysMs === 0;
    call.arrive(new Person(this.parts.clock, staysMs === 0 ? patient : phone));
    return call;
  }

  #create(order: DialOrder): CallControlCall {
    const { command_id: id, to, from, client_state: state, webhook_url: webhookUrl } = order;
    const atMs = this.parts.clock.monotonicMs();
    const known = this.#ordered.get(id ?? '');
    if (known && atMs - known.atMs < COMMANDS_REMEMBERED_MS) return known.call;
    const call = this.#add({ direction: 'outgoing', from, to, clientState: state ?? null, webhookUrl });
    if (id !== undefined) this.#ordered.set(id, { call, atMs });
    call.place(order, referenceIn(webhookUrl ?? ''));
    return call;
  }

  #add(line: LineOfCall): CallControlCall {
    const call = new CallControlCall(line, {
      ...this.parts,
      sender: this.#sender,
      connectionId: this.connectionId,
      webhookUrl: this.#options.webhookUrl,
      addLeg: (leg) => this.#add(leg),
    });
    return this.added(call);
  }
}
