import { randomUUID } from 'node:crypto';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import type { EventContent } from './call-requests.js';

export type CallStatus =
  | 'started'
  | 'ringing'
  | 'answered'
  | 'completed'
  | 'busy'
  | 'cancelled'
  | 'timeout'
  | 'unanswered'
  | 'rejected'
  | 'failed';

const UNDER_WAY: readonly CallStatus[] = ['started', 'ringing', 'answered'];

/** The carrier's record of a leg. Numbers have no plus. */
export class CallRecord {
  readonly uuid = randomUUID();
  readonly conversation: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  readonly #clock: Clock;
  status: CallStatus = 'started';
  answeredAt: number | null = null;
  endedAt: number | null = null;
  /** Every status so far. */
  readonly statuses: CallStatus[] = [];

  constructor(leg: Pick<CallRecord, 'from' | 'to' | 'direction'> & { conversation?: string }, clock: Clock) {
    this.from = leg.from;
    this.to = leg.to;
    this.direction = leg.direction;
    this.conversation = leg.conversation ?? `CON-${randomUUID()}`;
    this.#clock = clock;
  }

  get isOver(): boolean {
    return !UNDER_WAY.includes(this.status);
  }

  /** True if the status changed; an ended leg stays as it is. */
  moveTo(status: CallStatus): boolean {
    if (this.isOver || (this.status === status && this.statuses.length > 0)) return false;
    this.status = status;
    this.statuses.push(status);
    if (status === 'answered') this.answeredAt = this.#clock.wallMs();
    if (this.isOver) this.endedAt = this.#clock.wallMs();
    return true;
  }

  /** The content of an event about the leg. */
  event(further: EventContent = {}): EventContent {
    const { uuid, conversation, from, to, direction, status } = this;
    return {
      from,
      to,
      uuid,
      conversation_uuid: conversation,
      status,
      direction,
      ...(status === 'completed' ? this.#summary() : {}),
      timestamp: toInstant(this.#clock.wallMs()),
      ...further,
    };
  }

  /** The last event of an unanswered leg, which does not contain the reason of its end. */
  completion(): EventContent {
    return this.event({ status: 'completed', ...this.#summary() });
  }

  /** The leg in the API's form. */
  resource(): Record<string, unknown> {
    const { uuid, conversation, status, direction } = this;
    return {
      _links: { self: { href: `/calls/${uuid}` } },
      uuid,
      conversation_uuid: conversation,
      from: { type: 'phone', number: this.from },
      to: { type: 'phone', number: this.to },
      status,
      direction,
      ...(status === 'completed' ? { duration: String(this.durationSeconds) } : {}),
    };
  }

  #summary(): EventContent {
    const { answeredAt, endedAt } = this;
    return {
      start_time: answeredAt === null ? null : toInstant(answeredAt),
      end_time: endedAt === null ? null : toInstant(endedAt),
      duration: String(this.durationSeconds),
      rate: '0.00450000',
      price: '0.00015000',
      network: 'GB-FIXED',
    };
  }

  get durationSeconds(): number {
    return this.answeredAt === null
      ? 0
      : Math.round(((this.endedAt ?? this.#clock.wallMs()) - this.answeredAt) / 1000);
  }
}
