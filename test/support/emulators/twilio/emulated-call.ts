import { sleep } from '#kernel/time/clock.js';
import { CallLife } from '#test/support/emulators/call-life.js';
import type { CarrierParts } from '#test/support/emulators/emulated-carrier.js';
import type { Person } from '#test/support/emulators/person.js';
import type { NotTaken } from '#test/support/emulators/phone-network.js';
import { verdictOn } from './answering-machine.js';
import { rfc2822, type CallRecord, type CallStatus } from './call-record.js';
import { CallRequests, type CallRequestParts } from './call-requests.js';
import type { EndedBy } from './dialect.js';
import type { Purpose } from '#test/support/emulators/faults.js';
import { openStream, type Gateway } from './open-stream.js';
import { methodIn, StatusCallbacks } from './status-callbacks.js';
import { readTwiml, TwimlError, type Verb } from './twiml.js';
import { runTwiml, type Form, type RunningCall } from './twiml-run.js';

export type CallParts = CallRequestParts & CarrierParts;

/** SIP responses (RFC 3261) of unanswered calls, with the carrier's statuses. */
const NOT_TAKEN: Readonly<Record<NotTaken, { status: CallStatus; sip: string }>> = {
  busy: { status: 'busy', sip: '486' },
  no_answer: { status: 'no-answer', sip: '480' },
  rejected: { status: 'busy', sip: '603' },
  failed: { status: 'failed', sip: '404' },
};

/** One call at an emulated carrier. */
export class EmulatedCall extends CallLife implements RunningCall {
  readonly record: CallRecord;
  /** The place request in the API's terms. */
  readonly order: URLSearchParams;
  readonly streams: Gateway[] = [];
  /** The second legs. */
  readonly legs: string[] = [];
  readonly #parts: CallParts;
  readonly #requests: CallRequests;
  readonly #statusCallbacks: StatusCallbacks;

  constructor(record: CallRecord, order: URLSearchParams, parts: CallParts) {
    super(parts);
    this.record = record;
    this.order = order;
    this.#parts = parts;
    this.#requests = new CallRequests(parts);
    this.#statusCallbacks = new StatusCallbacks(order, parts.clock);
  }

  /** Dials the phone when the carrier's queue allows it. */
  async place(reference: string | null, queueMs: number): Promise<void> {
    const { to, from, sid } = this.record;
    if (queueMs > 0) await this.wait(queueMs);
    if (this.record.isOver) return;
    this.#moveTo('initiated');
    const ringLimitMs = Number(this.order.get('Timeout') ?? 60) * 1000;
    this.phone = this.#parts.network.dial(
      { to, from, reference, carrierCallId: sid, ringLimitMs },
      {
        ringing: () => this.#moveTo('ringing'),
        notTaken: (how) => this.end(NOT_TAKEN[how].status, 'callee', NOT_TAKEN[how].sip),
        answered: (person) => void this.#answered(person),
      },
    );
  }

  /** An inbound call: it rings until the service's document answers it. */
  arrive(person: Person, webhookUrl: string): void {
    this.person = person;
    this.person.onHangUp = () => this.end(this.#endStatus(), 'caller');
    this.record.moveTo('ringing');
    void this.#perform(() => this.#ask('incoming', webhookUrl, 'POST', {}));
  }

  /** Executes another document; the running one is aborted. */
  redirect(document: { twiml: string } | { url: string; method: 'GET' | 'POST' }): void {
    void this.#perform(async () =>
      'twiml' in document ? this.#read(document.twiml) : this.fetch(document.url, document.method, {}),
    );
  }

  /** The person presses a DTMF key. */
  press(digit: string): void {
    this.streams.at(-1)?.press(digit);
  }

  /** Ends the call, once. */
  end(status: CallStatus, by: EndedBy, sip?: string): void {
    if (this.record.isOver) return;
    this.letGo();
    const { dialect } = this.#parts;
    const code = sip ?? (status === 'canceled' ? '487' : '200');
    this.#moveTo(status, {
      CallDuration: String(this.record.durationSeconds),
      Duration: String(Math.ceil(this.record.durationSeconds / 60)),
      [dialect.sipField]: code,
      ...dialect.hungUp(by, this.record.direction === 'inbound'),
    });
  }

  /** The carrier drops the call. */
  drop(): void {
    this.end('failed', 'service');
    for (const stream of this.streams) stream.terminate();
  }

  answer(): void {
    if (this.record.direction === 'inbound') this.#moveTo('in-progress');
  }

  reject(reason: 'busy' | 'rejected'): void {
    this.end(reason === 'busy' ? 'busy' : 'failed', 'service', reason === 'busy' ? '486' : '603');
  }

  hangUp(): void {
    this.end(this.#endStatus(), 'service');
  }

  say(text: string, signal: AbortSignal): Promise<void> {
    return this.speak(text, signal);
  }

  pause(lengthSeconds: number, signal: AbortSignal): Promise<void> {
    return sleep(this.#parts.clock, lengthSeconds * 1000, signal);
  }

  stream(noun: Extract<Verb, { kind: 'connect' }>['stream'], signal: AbortSignal): Promise<Form> {
    const { accountSid, sid, from, to } = this.record;
    const tell = (event: string, streamSid: string, error: string) => {
      if (noun.statusCallback)
        this.#tell('stream-status', noun.statusCallback, 'POST', {
          StreamEvent: event,
          StreamSid: streamSid,
          StreamName: '',
          StreamError: error,
          Timestamp: this.#timestamp(),
        });
    };
    const call = { callSid: sid, accountSid, from, to, person: this.person!, streams: this.streams };
    return openStream(noun, call, { ...this.#parts, tell }, signal);
  }

  async dial(verb: Extract<Verb, { kind: 'dial' }>, signal: AbortSignal): Promise<Form> {
    const { network, dialect } = this.#parts;
    const carrierCallId = dialect.callSid();
    this.legs.push(verb.to);
    const status = await new Promise<string>((resolve) => {
      const from = verb.callerId ?? this.record.from;
      const request = { to: verb.to, from, reference: null, carrierCallId };
      const leg = network.dial(
        { ...request, ringLimitMs: verb.timeoutSeconds * 1000 },
        {
          ringing: () => {},
          notTaken: (how) => resolve(NOT_TAKEN[how].status),
          answered: (person) => {
            signal.addEventListener('abort', () => person.leave(), { once: true });
            person.onHangUp = () => resolve('completed');
          },
        },
      );
      const leave = () => {
        leg.hangUp();
        resolve('canceled');
      };
      signal.addEventListener('abort', leave, { once: true });
    });
    return { DialCallSid: carrierCallId, DialCallStatus: status };
  }

  fetch(url: string, method: 'GET' | 'POST', form: Form): Promise<readonly Verb[]> {
    return this.#ask('action', url, method, form);
  }

  #endStatus(): CallStatus {
    return this.record.answeredAt === null && this.record.direction !== 'inbound' ? 'canceled' : 'completed';
  }

  async #answered(person: Person): Promise<void> {
    this.person = person;
    person.onHangUp = () => this.end('completed', 'callee');
    this.record.moveTo('in-progress');
    const detection = this.order.get('MachineDetection');
    const verdict = detection ? verdictOn(person.answeredBy, detection) : null;
    const isAsync = this.order.get('AsyncAmd') === 'true';
    const decisionMs = verdict?.afterMs ?? 0;
    if (verdict && isAsync) {
      void this.wait(decisionMs).then(() => this.#tellMachine(verdict.answeredBy, decisionMs));
    } else if (verdict) {
      await this.wait(decisionMs);
      this.record.answeredBy = verdict.answeredBy;
    }
    if (!this.record.isOver) this.#begin(verdict && !isAsync ? { AnsweredBy: verdict.answeredBy } : {});
  }

  /** The document is requested first; the callback about the answer follows at once. */
  #begin(form: Form): void {
    const url = this.order.get('Url');
    const method = methodIn(this.order, 'Method');
    const twiml = this.order.get('Twiml') ?? this.order.get('Laml') ?? '';
    void this.#perform(async () => (url ? this.#ask('answered', url, method, form) : this.#read(twiml)));
    this.#report({});
  }

  #tellMachine(answeredBy: string, durationMs: number): void {
    const url = this.order.get('AsyncAmdStatusCallback');
    if (this.record.isOver) return;
    this.record.answeredBy = answeredBy;
    if (!url) return;
    const method = methodIn(this.order, 'AsyncAmdStatusCallbackMethod');
    this.#tell('machine', url, method, {
      AnsweredBy: answeredBy,
      MachineDetectionDuration: String(durationMs),
    });
  }

  /** Executes a document instead of the running one; the call ends if it is invalid. */
  async #perform(document: () => Promise<readonly Verb[]>): Promise<void> {
    const turn = this.takeTurn();
    try {
      const verbs = await document();
      if (!turn.aborted) await runTwiml(verbs, this, turn);
    } catch (error) {
      if (!(error instanceof TwimlError)) throw error;
      this.#parts.log.complain(error.code, error.message);
      if (!turn.aborted) this.hangUp();
    }
  }

  /** @throws TwimlError */
  async #ask(purpose: Purpose, url: string, method: 'GET' | 'POST', form: Form): Promise<readonly Verb[]> {
    const answer = await this.#send(purpose, url, method, form);
    if (!answer || answer.status >= 300) throw new TwimlError(11200, `${purpose}: no document`);
    if (!/^(text|application)\/xml\b/.test(answer.contentType))
      throw new TwimlError(12300, `${purpose}: ${answer.contentType} is not XML`);
    return this.#read(answer.body);
  }

  #read(twiml: string): Verb[] {
    return readTwiml(twiml, this.#parts.dialect.streamAttributes);
  }

  #tell(purpose: Purpose, url: string, method: 'GET' | 'POST', form: Form): void {
    void this.#send(purpose, url, method, form).then(() => this.wasTold());
  }

  #send(purpose: Purpose, url: string, method: 'GET' | 'POST', further: Form) {
    const form = this.record.form(further);
    return this.#requests.send({ purpose, callSid: this.record.sid, url, method, form });
  }

  #moveTo(status: CallStatus, form: Form = {}): void {
    if (this.record.moveTo(status)) this.#report(form);
  }

  /** Sends the status callback, if one was requested. */
  #report(form: Form): void {
    const told = this.#statusCallbacks.of(this.record, form);
    if (told) this.#tell('status', told.url, told.method, told.form);
  }

  #timestamp(): string {
    return rfc2822(this.#parts.clock.wallMs());
  }
}
