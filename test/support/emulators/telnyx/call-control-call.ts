import { randomBytes, randomUUID } from 'node:crypto';
import { toInstant } from '#kernel/time/clock.js';
import { CallLife } from '#test/support/emulators/call-life.js';
import type { CarrierParts } from '#test/support/emulators/emulated-carrier.js';
import type { Person } from '#test/support/emulators/person.js';
import type { NotTaken } from '#test/support/emulators/phone-network.js';
import { ApiError, CALL_ENDED, NOT_ANSWERED } from './api-error.js';
import type { Command, DialOrder } from './commands.js';
import { CallEvents, type EventParts } from './events.js';
import { findingsOn } from './machine-detection.js';
import { MediaGateway } from './media-gateway.js';

export interface CallControlParts extends EventParts, Omit<CarrierParts, 'sender'> {
  connectionId: string;
  /** The application's URL. */
  webhookUrl: string;
  /** Adds a leg for a transfer. */
  addLeg(line: LineOfCall): CallControlCall;
}

export interface LineOfCall {
  direction: 'incoming' | 'outgoing';
  from: string;
  to: string;
  clientState: string | null;
  /** The URL of its events; default the application's. */
  webhookUrl?: string | undefined;
  sessionId?: string;
}

type Side = 'caller' | 'callee';

/** How the ends of unanswered calls are reported. */
const NOT_TAKEN: Readonly<Record<NotTaken, { cause: string; sip: string }>> = {
  busy: { cause: 'user_busy', sip: '486' },
  no_answer: { cause: 'timeout', sip: 'unspecified' },
  rejected: { cause: 'call_rejected', sip: '603' },
  failed: { cause: 'not_found', sip: '404' },
};
/** How long a repeated command is ignored. Source: Telnyx, "Receiving webhooks". */
export const COMMANDS_REMEMBERED_MS = 60_000;

/** One leg at the emulated Telnyx, under call control. */
export class CallControlCall extends CallLife {
  readonly id = `v3:${randomBytes(24).toString('base64url')}`;
  readonly line: LineOfCall;
  readonly startedAt: number;
  readonly streams: MediaGateway[] = [];
  /** DTMF keys sent by command. */
  readonly digits: string[] = [];
  clientState: string | null;
  endedAt: number | null = null;
  cause: string | null = null;
  isAnswered = false;
  /** The caller hangs up when the service is about to answer. */
  leavesUnanswered = false;
  /** The other leg of a transfer, connected or being connected. */
  otherLeg: CallControlCall | null = null;
  readonly #sessionId: string;
  readonly #legId = randomUUID();
  readonly #parts: CallControlParts;
  readonly #events: CallEvents;
  readonly #commands = new Map<string, number>();

  constructor(line: LineOfCall, parts: CallControlParts) {
    super(parts);
    this.line = line;
    this.clientState = line.clientState;
    this.#sessionId = line.sessionId ?? randomUUID();
    this.#parts = parts;
    this.#events = new CallEvents(parts);
    this.startedAt = parts.clock.wallMs();
  }

  get isOver(): boolean {
    return this.endedAt !== null;
  }

  /** Dials the phone. */
  place(
    order: Pick<DialOrder, 'timeout_secs' | 'answering_machine_detection'>,
    reference: string | null,
    onAnswered: () => void = () => {},
  ): void {
    const { network } = this.#parts;
    const { to, from } = this.line;
    this.#tell('call.initiated', { direction: 'outgoing', state: 'bridging' });
    this.phone = network.dial(
      { to, from, reference, carrierCallId: this.id, ringLimitMs: order.timeout_secs * 1_000 },
      {
        ringing: () => {},
        notTaken: (how) => this.end(NOT_TAKEN[how].cause, 'callee', NOT_TAKEN[how].sip),
        answered: (person) => {
          this.#pickUp(person, 'callee');
          onAnswered();
          void this.#detect(order.answering_machine_detection, person);
        },
      },
    );
  }

  /** An inbound call: it rings until the service answers it. */
  arrive(person: Person): void {
    this.person = person;
    person.onHangUp = () => this.end(this.isAnswered ? 'normal_clearing' : 'originator_cancel', 'caller');
    this.#tell('call.initiated', { direction: 'incoming', state: 'parked' });
  }

  press(digit: string): void {
    this.streams.at(-1)?.press(digit);
    this.#tell('call.dtmf.received', { digit });
  }

  /** @throws ApiError if the command is not possible now */
  do(command: Command): void {
    if (this.leavesUnanswered && command.name === 'answer') this.person?.hangUp();
    if (this.isOver) throw CALL_ENDED();
    const { command_id: id, client_state: state } = command.content;
    const now = this.#parts.clock.monotonicMs();
    if (id !== undefined && now - (this.#commands.get(id) ?? -Infinity) < COMMANDS_REMEMBERED_MS) return;
    this.#obey(command);
    if (id !== undefined) this.#commands.set(id, now);
    if (state !== undefined) this.clientState = state;
  }

  /** Ends the call, once. */
  end(cause: string, source: Side | 'unknown', sip = '200'): void {
    if (this.isOver) return;
    const { clock } = this.#parts;
    this.endedAt = clock.wallMs();
    this.cause = cause;
    this.letGo();
    for (const stream of this.streams) stream.stop();
    const times = { start_time: toInstant(this.startedAt), end_time: toInstant(this.endedAt) };
    const why = { hangup_cause: cause, hangup_source: source, sip_hangup_cause: sip };
    this.#tell('call.hangup', { state: 'hangup', ...why, ...times });
    if (this.otherLeg?.isAnswered || this.line.direction === 'incoming') this.#leaveOtherLeg();
  }

  /** The carrier drops the call. */
  drop(): void {
    this.end('unspecified', 'unknown');
    for (const stream of this.streams) stream.terminate();
  }

  /** The call as the API shows it. */
  resource(): object {
    return {
      call_control_id: this.id,
      call_leg_id: this.#legId,
      call_session_id: this.#sessionId,
      client_state: this.clientState,
      record_type: 'call',
      is_alive: this.isAnswered && !this.isOver,
      start_time: toInstant(this.startedAt),
      ...(this.endedAt === null ? {} : { end_time: toInstant(this.endedAt) }),
      call_duration: Math.round(((this.endedAt ?? this.#parts.clock.wallMs()) - this.startedAt) / 1_000),
    };
  }

  #obey(command: Command): void {
    const { name, content } = command;
    const isWaiting = this.line.direction === 'incoming' && !this.isAnswered;
    const ours: Side = this.line.direction === 'incoming' ? 'callee' : 'caller';
    if ((name === 'answer' || name === 'reject') && !isWaiting)
      throw new ApiError(422, '10015', 'Bad Request: the call does not wait for an answer');
    if (!['answer', 'reject', 'hangup'].includes(name) && !this.isAnswered) throw NOT_ANSWERED();
    switch (name) {
      case 'answer':
        this.#pickUp(this.person!, 'caller');
        return void this.#stream(content.stream_url);
      case 'reject':
        return this.end(content.cause.toLowerCase(), 'callee', content.cause === 'USER_BUSY' ? '486' : '603');
      case 'hangup':
        return this.end(
          this.isAnswered || isWaiting ? 'normal_clearing' : 'originator_cancel',
          ours,
          this.isAnswered ? '200' : '487',
        );
      case 'streaming_start':
        return void this.#stream(content.stream_url);
      case 'streaming_stop':
        for (const stream of this.streams) stream.stop();
        return undefined;
      case 'send_dtmf':
        this.digits.push(content.digits);
        return undefined;
      case 'transfer':
        return this.#connectWith(content.to, content.from, content.target_leg_client_state ?? null);
    }
  }

  #pickUp(person: Person, customer: Side): void {
    this.person = person;
    this.isAnswered = true;
    person.onHangUp = () => this.end('normal_clearing', customer);
    this.#tell('call.answered', { state: 'answered' });
  }

  async #stream(url: string): Promise<void> {
    const { pacingTimer, reach, log, pending } = this.#parts;
    const { from, to } = this.line;
    const call = { callControlId: this.id, callSessionId: this.#sessionId, from, to, parameters: {} };
    const gateway = new MediaGateway(
      reach(url),
      { ...call, clientState: this.clientState },
      { pacingTimer, person: this.person!, onFault: (text) => log.complain(100_003, text) },
    );
    this.streams.push(gateway);
    await pending.during(gateway.settled);
    const told = { stream_params: { stream_url: url }, stream_id: gateway.streamSid };
    if (gateway.isOpen) this.#tell('streaming.started', told);
    const end = await gateway.ended;
    if (end.by === 'error') log.complain(end.code, end.text);
    this.#tell(end.by === 'error' ? 'streaming.failed' : 'streaming.stopped', told);
  }

  /** The stream continues meanwhile. The end of the other leg ends this one, unless they were never connected. */
  #connectWith(to: string, from: string, clientState: string | null): void {
    if (this.otherLeg && !this.otherLeg.isOver)
      throw new ApiError(422, '10015', 'Bad Request: the call is being transferred');
    const leg = this.#parts.addLeg({
      direction: 'outgoing',
      from,
      to,
      clientState,
      sessionId: this.#sessionId,
    });
    this.otherLeg = leg;
    leg.place({ timeout_secs: 30, answering_machine_detection: 'disabled' }, null, () => {
      this.#tell('call.bridged', { state: 'bridged' });
      void leg.ended.then(() => this.end('normal_clearing', 'callee'));
    });
  }

  #leaveOtherLeg(): void {
    this.otherLeg?.end('normal_clearing', 'caller');
  }

  async #detect(detection: string, person: Person): Promise<void> {
    if (detection === 'disabled') return;
    for (const { event, result, afterMs } of findingsOn(person.answeredBy, detection)) {
      await this.wait(afterMs);
      if (this.isOver) return;
      this.#tell(event, { result });
    }
  }

  #tell(name: string, further: Readonly<Record<string, unknown>>): void {
    const { connectionId, webhookUrl } = this.#parts;
    const { from, to } = this.line;
    const payload = {
      call_control_id: this.id,
      call_leg_id: this.#legId,
      call_session_id: this.#sessionId,
      client_state: this.clientState,
      connection_id: connectionId,
      from,
      to,
      ...further,
    };
    void this.#events.send(name, this.line.webhookUrl ?? webhookUrl, payload).then(() => this.wasTold());
  }
}
