import type { Resampling } from '#media/samples/resampler.js';
import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import { readMarkup } from '#test/support/markup-reader.js';
import { CallLife } from '#test/support/emulators/call-life.js';
import type { CarrierParts } from '#test/support/emulators/emulated-carrier.js';
import type { Person } from '#test/support/emulators/person.js';
import type { NotTaken } from '#test/support/emulators/phone-network.js';
import type { Purpose } from '#test/support/emulators/faults.js';
import type { ServiceAnswer } from '#test/support/emulators/webhook-sender.js';
import type { Order, Update } from './api-rules.js';
import { CallInfo, type JambonzStatus } from './call-info.js';
import { Hooks, type Hook, type HookParts } from './hooks.js';
import { ListenStream } from './listen-stream.js';
import { findingsOn } from './machine-detection.js';

export interface JambonzCallParts extends HookParts, CarrierParts {
  accountSid: string;
  resampling: Resampling;
}

/** SIP responses (RFC 3261) of unanswered calls, with jambonz's statuses. */
const NOT_TAKEN: Readonly<Record<NotTaken, [JambonzStatus, number]>> = {
  busy: ['busy', 486],
  // jambonz itself stops the ringing.
  no_answer: ['no-answer', 487],
  rejected: ['busy', 603],
  failed: ['failed', 404],
};

/** One call at an emulated jambonz. */
export class JambonzCall extends CallLife {
  readonly info: CallInfo;
  /** DTMF keys sent by the service. */
  readonly keys: string[] = [];
  readonly streams: ListenStream[] = [];
  /** The second legs. */
  readonly legs: CallInfo[] = [];
  readonly #order: Pick<Order, 'call_hook' | 'call_status_hook' | 'amd' | 'timeout'>;
  readonly #parts: JambonzCallParts;
  readonly #hooks: Hooks;

  constructor(
    info: CallInfo,
    order: Pick<Order, 'call_hook' | 'call_status_hook' | 'amd' | 'timeout'>,
    parts: JambonzCallParts,
  ) {
    super(parts);
    this.info = info;
    this.#order = order;
    this.#parts = parts;
    this.#hooks = new Hooks(parts);
  }

  get sid(): string {
    return this.info.sid;
  }

  get sipCallId(): string {
    return this.info.sipCallId;
  }

  /** Dials the phone. */
  place(reference: string | null): void {
    const { to, from, sid } = this.info;
    this.#report(this.info);
    this.phone = this.#parts.network.dial(
      { to, from, reference, carrierCallId: sid, ringLimitMs: this.#order.timeout * 1_000 },
      {
        ringing: () => this.#moveTo('ringing', 180),
        notTaken: (how) => this.#end(...NOT_TAKEN[how]),
        answered: (person) => this.#answered(person),
      },
    );
  }

  /** An inbound call: it waits until the service's verbs answer it. */
  arrive(person: Person): void {
    this.person = person;
    person.onHangUp = () =>
      this.info.answeredAt === null
        ? this.#end('no-answer', 487, 'caller')
        : this.#end('completed', 200, 'caller');
    this.#report(this.info);
    void this.#perform('incoming', this.#order.call_hook!);
  }

  /**
   * Changes the call; false if its state does not allow that. Verbs are fetched afterwards, and their result is not
   * reported.
   */
  update(wanted: Update): boolean {
    const { isOver, answeredAt } = this.info;
    if (isOver) return false;
    if ('call_hook' in wanted) void this.#perform('action', wanted.call_hook);
    else if ('dtmf' in wanted) {
      if (answeredAt !== null) this.keys.push(wanted.dtmf.digit);
    } else if (wanted.call_status === 'completed') {
      if (answeredAt === null) return false;
      this.#end('completed', 200, 'jambonz');
    } else {
      if (answeredAt !== null) return false;
      this.#end('no-answer', 487);
    }
    return true;
  }

  /** The person presses a DTMF key. */
  press(digit: string): void {
    this.streams.at(-1)?.press(digit);
  }

  /** The carrier drops the call. */
  drop(): void {
    this.#end('failed', 500);
    for (const stream of this.streams) stream.terminate();
  }

  #answered(person: Person): void {
    this.person = person;
    person.onHangUp = () => this.#end('completed', 200, 'caller');
    this.#moveTo('in-progress', 200);
    if (this.#order.amd) void this.#listenForMachines(person, this.#order.amd.actionHook);
    void this.#perform('answered', this.#order.call_hook!);
  }

  async #listenForMachines(person: Person, url: string): Promise<void> {
    let passedMs = 0;
    for (const { type, afterMs, further } of findingsOn(person.answeredBy)) {
      await this.wait(afterMs - passedMs);
      if (this.info.isOver) return;
      passedMs = afterMs;
      void this.#ask('machine', { url, method: 'POST' }, { type, ...further });
    }
  }

  /** Executes a hook's verbs instead of the running ones; the call ends if there are none to execute. */
  async #perform(purpose: Purpose, hook: Hook): Promise<void> {
    const answer = await this.#ask(purpose, hook);
    if (this.info.isOver) return;
    let document: CallMarkup;
    try {
      document = readMarkup('jambonz', answer!);
    } catch (error) {
      this.#parts.log.complain(0, `${purpose}: ${String(error)}`);
      return this.#hangUp();
    }
    const turn = this.takeTurn();
    for (const step of document) {
      await this.#do(step, turn);
      if (turn.aborted) return;
    }
    this.#hangUp();
  }

  async #do(step: MarkupStep, signal: AbortSignal): Promise<void> {
    if (step.kind === 'reject') return this.#end('failed', step.reason === 'busy' ? 486 : 603);
    if (step.kind === 'hang_up') return this.#hangUp();
    this.#moveTo('in-progress', 200);
    switch (step.kind) {
      case 'say':
        return this.speak(step.text, signal);
      case 'stream':
        return this.#listen(step.stream, signal);
      case 'dial':
        return this.#dial(step, signal);
    }
  }

  async #listen(stream: (MarkupStep & { kind: 'stream' })['stream'], signal: AbortSignal): Promise<void> {
    const { reach, pending, log } = this.#parts;
    const metadata = { ...this.info.metadata(), ...stream.parameters };
    const listening = new ListenStream(
      { url: reach(stream.url), metadata },
      { ...this.#parts, person: this.person! },
    );
    this.streams.push(listening);
    const stop = () => listening.stop();
    signal.addEventListener('abort', stop, { once: true });
    await pending.during(listening.settled);
    const end = await listening.ended;
    signal.removeEventListener('abort', stop);
    if (end.by === 'error') log.complain(0, end.text);
  }

  /** The second leg is a separate call that reports to the same URL. */
  async #dial({ to, from }: MarkupStep & { kind: 'dial' }, signal: AbortSignal): Promise<void> {
    const { accountSid, clock, network } = this.#parts;
    const further = { parent_call_sid: this.sid };
    const leg = new CallInfo({ accountSid, from, to, direction: 'outbound' }, further, clock);
    this.legs.push(leg);
    const moveTo = (status: JambonzStatus, sipStatus: number) => {
      if (leg.moveTo(status, sipStatus)) this.#report(leg);
    };
    await new Promise<void>((resolve) => {
      const phone = network.dial(
        { to, from, reference: null, carrierCallId: leg.sid, ringLimitMs: 60_000 },
        {
          ringing: () => moveTo('ringing', 180),
          notTaken: (how) => resolve(moveTo(...NOT_TAKEN[how])),
          answered: (person) => {
            moveTo('in-progress', 200);
            signal.addEventListener('abort', () => person.leave(), { once: true });
            person.onHangUp = () => resolve(moveTo('completed', 200));
          },
        },
      );
      const leave = () => {
        phone.hangUp();
        resolve(moveTo('completed', 200));
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #hangUp(): void {
    if (this.info.answeredAt === null) this.#end('failed', 480);
    else this.#end('completed', 200, 'jambonz');
  }

  /** Ends the call, once. */
  #end(status: JambonzStatus, sipStatus: number, by: 'caller' | 'jambonz' | null = null): void {
    if (this.info.isOver) return;
    this.letGo();
    this.info.terminatedBy = by;
    this.#moveTo(status, sipStatus);
  }

  #moveTo(status: JambonzStatus, sipStatus: number): void {
    if (this.info.moveTo(status, sipStatus)) this.#report(this.info);
  }

  #report(info: CallInfo): void {
    const hook = this.#order.call_status_hook;
    if (hook) void this.#hooks.send('status', hook, info.webhook()).then(() => this.wasTold());
  }

  #ask(
    purpose: Purpose,
    hook: Hook,
    further: Readonly<Record<string, unknown>> = {},
  ): Promise<ServiceAnswer | null> {
    return this.#hooks.send(purpose, hook, { ...this.info.webhook(), ...further });
  }
}
