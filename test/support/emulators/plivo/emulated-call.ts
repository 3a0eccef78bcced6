import { randomUUID } from 'node:crypto';
import type { MarkupStep } from '#telephony/port/call-markup.js';
import { readMarkup } from '#test/support/markup-reader.js';
import { CallLife } from '#test/support/emulators/call-life.js';
import type { CarrierParts } from '#test/support/emulators/emulated-carrier.js';
import type { Person } from '#test/support/emulators/person.js';
import type { Purpose } from '#test/support/emulators/faults.js';
import { BROKEN, CANCELLED, END_OF_XML, hungUp, NOT_TAKEN, REJECTED_BY_XML, type PlivoEnd } from './ends.js';
import { PlivoGateway } from './media-gateway.js';
import { PlivoRequests, type PlivoRequestParts } from './requests.js';

export interface PlivoCallParts extends PlivoRequestParts, CarrierParts {
  authId: string;
}

/** The place request in the API's terms; for an inbound call, the application's configuration. */
export type PlivoOrder = Readonly<Record<string, string>>;

const DETECTION_MS = 2_500;
const USUAL_RING_SECONDS = 120;

/** One call at the emulated Plivo. */
export class PlivoCall extends CallLife {
  readonly callId = randomUUID();
  /** Null for inbound calls. */
  readonly requestId: string | null;
  readonly order: PlivoOrder;
  /** DTMF keys sent by the service. */
  readonly digits: string[] = [];
  readonly streams: PlivoGateway[] = [];
  /** The second legs. */
  readonly legs: string[] = [];
  status: 'queued' | 'initiated' | 'ringing' | 'in-progress' | PlivoEnd['status'] = 'queued';
  end: PlivoEnd | null = null;
  answeredAt: number | null = null;
  readonly #parts: PlivoCallParts;
  readonly #requests: PlivoRequests;

  constructor(order: PlivoOrder, direction: 'inbound' | 'outbound', parts: PlivoCallParts) {
    super(parts);
    this.order = order;
    this.requestId = direction === 'outbound' ? randomUUID() : null;
    this.#parts = parts;
    this.#requests = new PlivoRequests(parts);
  }

  /** Dials the phone when the carrier's queue allows it. */
  async place(reference: string | null, queueMs: number): Promise<void> {
    const { network } = this.#parts;
    if (queueMs > 0) await this.wait(queueMs);
    if (this.end) return;
    this.status = 'initiated';
    const ringLimitMs = Number(this.order['ring_timeout'] ?? USUAL_RING_SECONDS) * 1000;
    const [to, from] = [`+${this.order['to']}`, `+${this.order['from']}`];
    this.phone = network.dial(
      { to, from, reference, carrierCallId: this.callId, ringLimitMs },
      {
        ringing: () => {
          this.status = 'ringing';
          this.#tell('status', this.order['ring_url'], { Event: 'Ring' });
        },
        notTaken: (how) => this.finish(NOT_TAKEN[how]),
        answered: (person) => this.#answered(person),
      },
    );
  }

  /** An inbound call: it rings until the service's document answers it. */
  arrive(person: Person): void {
    this.person = person;
    this.person.onHangUp = () => this.finish(hungUp('Caller'));
    this.status = 'ringing';
    void this.follow('incoming', this.order['answer_url']!);
  }

  /** Executes the document at a URL; the running one is aborted. */
  async follow(purpose: Purpose, url: string): Promise<void> {
    const turn = this.takeTurn();
    const steps = await this.#documentAt(purpose, url);
    if (turn.aborted) return;
    if (steps === null) return this.finish(BROKEN);
    for (const step of steps) {
      if (step.kind === 'reject') return this.finish(REJECTED_BY_XML);
      this.#pickUp();
      const next = await this.#perform(step, turn);
      if (turn.aborted) return;
      if (next !== null) return this.follow('action', next);
    }
    this.finish(END_OF_XML);
  }

  /** The API's hang-up; queued calls cannot be hung up. */
  hangUp(): void {
    this.finish(this.answeredAt === null ? CANCELLED : hungUp('API Request'));
  }

  /** Cancels a request before it has become a call; nothing is reported. */
  callOff(): void {
    this.#close(CANCELLED);
  }

  finish(end: PlivoEnd): void {
    if (this.end) return;
    this.#close(end);
    const seconds = this.answeredAt === null ? 0 : (this.#parts.clock.wallMs() - this.answeredAt) / 1000;
    // Without its own URL, the end is reported to the answer URL.
    this.#tell('status', this.order['hangup_url'] ?? this.order['answer_url'], {
      Event: 'Hangup',
      HangupCause: end.cause,
      HangupCauseName: end.name,
      HangupCauseCode: String(end.code),
      HangupSource: end.source,
      Duration: String(Math.round(seconds)),
      BillDuration: String(Math.ceil(seconds / 60) * 60),
    });
  }

  /** The carrier drops the call. */
  drop(): void {
    this.#close(BROKEN);
    for (const stream of this.streams) stream.terminate();
  }

  #close(end: PlivoEnd): void {
    if (this.end) return;
    this.end = end;
    this.status = end.status;
    this.letGo();
  }

  #answered(person: Person): void {
    this.person = person;
    person.onHangUp = () => this.finish(hungUp('Callee'));
    this.#pickUp();
    if (this.order['machine_detection'] === 'true' && person.answeredBy.kind === 'machine')
      void this.wait(DETECTION_MS).then(() => {
        const form = { Event: 'MachineDetection', Machine: 'true', IfMachine: 'continue' };
        if (!this.end) this.#tell('machine', this.order['machine_detection_url'], form);
      });
    void this.follow('answered', this.order['answer_url']!);
  }

  #pickUp(): void {
    if (this.status === 'in-progress') return;
    this.status = 'in-progress';
    this.answeredAt = this.#parts.clock.wallMs();
  }

  /** Executes a step; returns the URL to continue with instead of the remaining steps, or null. */
  async #perform(step: Exclude<MarkupStep, { kind: 'reject' }>, signal: AbortSignal): Promise<string | null> {
    switch (step.kind) {
      case 'say':
        await this.speak(step.text, signal);
        return null;
      case 'stream':
        await this.#stream(step.stream, signal);
        return step.streamEndedUrl;
      case 'dial':
        await this.#dial(step, signal);
        return null;
      case 'hang_up':
        this.finish(hungUp('Answer XML'));
        return null;
    }
  }

  async #stream(
    { url, parameters }: Extract<MarkupStep, { kind: 'stream' }>['stream'],
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, pacingTimer, pending, log, reach, authId } = this.#parts;
    const gateway = new PlivoGateway(
      { url: reach(url), parameters, callId: this.callId, accountId: authId },
      { clock, pacingTimer, person: this.person! },
    );
    this.streams.push(gateway);
    const stop = () => gateway.stop();
    signal.addEventListener('abort', stop, { once: true });
    await pending.during(gateway.settled);
    const end = await gateway.ended;
    signal.removeEventListener('abort', stop);
    if (end.by === 'error') log.complain(0, end.text);
  }

  #dial({ to, from }: Extract<MarkupStep, { kind: 'dial' }>, signal: AbortSignal): Promise<void> {
    this.legs.push(to);
    return new Promise((resolve) => {
      const leg = this.#parts.network.dial(
        { to, from, reference: null, carrierCallId: randomUUID(), ringLimitMs: USUAL_RING_SECONDS * 1000 },
        {
          ringing: () => {},
          notTaken: () => resolve(),
          answered: (person) => {
            signal.addEventListener('abort', () => person.leave(), { once: true });
            person.onHangUp = () => resolve();
          },
        },
      );
      const leave = () => {
        leg.hangUp();
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  async #documentAt(purpose: Purpose, url: string): Promise<readonly MarkupStep[] | null> {
    const answer = await this.#send(purpose, url, { Event: purpose === 'action' ? 'Redirect' : 'StartApp' });
    try {
      return answer && readMarkup('plivo', answer);
    } catch (error) {
      this.#parts.log.complain(0, String(error));
      return null;
    }
  }

  #tell(purpose: Purpose, url: string | undefined, further: PlivoOrder): void {
    if (url) void this.#send(purpose, url, further).then(() => this.wasTold());
  }

  #send(purpose: Purpose, url: string, further: PlivoOrder) {
    const { callId, requestId, order, status } = this;
    const form = {
      CallUUID: callId,
      ALegUUID: callId,
      From: order['from']!,
      To: order['to']!,
      CallStatus: status,
      Direction: requestId === null ? 'inbound' : 'outbound',
      CallerName: '',
      BillRate: '0.0055',
      ...(requestId === null ? {} : { RequestUUID: requestId, ALegRequestUUID: requestId }),
      ...further,
    };
    return this.#requests.send({ purpose, callId, url, form });
  }
}
