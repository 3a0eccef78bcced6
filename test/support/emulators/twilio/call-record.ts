import { toInstant, type Clock } from '#kernel/time/clock.js';

export type CallStatus =
  | 'queued'
  | 'initiated'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'canceled'
  | 'failed';

export type Direction = 'inbound' | 'outbound-api';

/** In the API, what is taken off the account is negative. */
const PRICE = '-0.01300';
const PRICED_AFTER_MS = 5_000;

const FINAL: readonly CallStatus[] = ['completed', 'busy', 'no-answer', 'canceled', 'failed'];

/** The carrier's record of a call. */
export class CallRecord {
  readonly accountSid: string;
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly direction: Direction;
  readonly createdAt: number;
  status: CallStatus = 'queued';
  answeredAt: number | null = null;
  endedAt: number | null = null;
  answeredBy: string | null = null;
  /** Every status so far. */
  readonly statuses: CallStatus[] = [];
  readonly #clock: Clock;

  constructor(call: Pick<CallRecord, 'accountSid' | 'sid' | 'from' | 'to' | 'direction'>, clock: Clock) {
    this.accountSid = call.accountSid;
    this.sid = call.sid;
    this.from = call.from;
    this.to = call.to;
    this.direction = call.direction;
    this.createdAt = clock.wallMs();
    this.#clock = clock;
  }

  get isOver(): boolean {
    return FINAL.includes(this.status);
  }

  /** True if the status changed; an ended call stays as it is. */
  moveTo(status: CallStatus): boolean {
    if (this.isOver || this.status === status) return false;
    this.status = status;
    this.statuses.push(status);
    if (status === 'in-progress') this.answeredAt = this.#clock.wallMs();
    if (this.isOver) this.endedAt = this.#clock.wallMs();
    return true;
  }

  /** The length of the conversation, in whole seconds. */
  get durationSeconds(): number {
    return this.answeredAt === null
      ? 0
      : Math.round(((this.endedAt ?? this.#clock.wallMs()) - this.answeredAt) / 1000);
  }

  /** The price of a talk is worked out a while after its end. */
  get #isPriced(): boolean {
    return this.endedAt !== null && this.#clock.wallMs() - this.endedAt >= PRICED_AFTER_MS;
  }

  /** The day it began, by UTC. */
  startDay(): string {
    return toInstant(this.answeredAt ?? this.createdAt).slice(0, 'YYYY-MM-DD'.length);
  }

  /** The parameters of every request about a call. */
  form(further: Readonly<Record<string, string>> = {}): URLSearchParams {
    return new URLSearchParams({
      AccountSid: this.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: this.sid,
      CallStatus: this.status,
      Called: this.to,
      CalledCity: '',
      Caller: this.from,
      CallerCity: '',
      Direction: this.direction,
      From: this.from,
      FromCity: '',
      To: this.to,
      ToCity: '',
      ...further,
    });
  }

  /** The call in the API's form; `initiated` is a status of callbacks only. */
  resource(): Record<string, unknown> {
    const { status, isOver } = this;
    return {
      sid: this.sid,
      account_sid: this.accountSid,
      parent_call_sid: null,
      from: this.from,
      to: this.to,
      direction: this.direction,
      status: status === 'initiated' ? 'queued' : status,
      answered_by: this.answeredBy,
      start_time: this.answeredAt === null && !isOver ? null : rfc2822(this.answeredAt ?? this.createdAt),
      end_time: this.endedAt === null ? null : rfc2822(this.endedAt),
      duration: isOver ? String(this.durationSeconds) : null,
      date_created: rfc2822(this.createdAt),
      date_updated: rfc2822(this.#clock.wallMs()),
      price: this.#isPriced ? PRICE : null,
      price_unit: 'USD',
      api_version: '2010-04-01',
      uri: `/2010-04-01/Accounts/${this.accountSid}/Calls/${this.sid}.json`,
    };
  }
}

/** `Sat, 07 May 2022 14:30:14 +0000`. */
export function rfc2822(epochMs: number): string {
  return new Date(epochMs).toUTCString().replace('GMT', '+0000');
}
