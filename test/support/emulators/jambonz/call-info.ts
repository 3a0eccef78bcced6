import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';

export type JambonzStatus =
  'trying' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed';

const FINAL: readonly JambonzStatus[] = ['completed', 'busy', 'no-answer', 'failed'];

/** What is known of a call, or of the other leg of one. */
export class CallInfo {
  readonly sid = randomUUID();
  readonly sipCallId = randomUUID();
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  status: JambonzStatus = 'trying';
  sipStatus = 100;
  terminatedBy: 'caller' | 'jambonz' | null = null;
  answeredAt: number | null = null;
  /** Every status it went through. */
  readonly statuses: JambonzStatus[] = [];
  readonly #accountSid: string;
  readonly #further: Readonly<Record<string, unknown>>;
  readonly #clock: Clock;
  #endedAt: number | null = null;

  /** @param further what belongs to this call alone, in the words of the webhooks */
  constructor(
    call: Pick<CallInfo, 'from' | 'to' | 'direction'> & { accountSid: string },
    further: Readonly<Record<string, unknown>>,
    clock: Clock,
  ) {
    this.from = call.from;
    this.to = call.to;
    this.direction = call.direction;
    this.#accountSid = call.accountSid;
    this.#further = further;
    this.#clock = clock;
  }

  get isOver(): boolean {
    return FINAL.includes(this.status);
  }

  /** Whether it has moved; a call that is over stays as it is. */
  moveTo(status: JambonzStatus, sipStatus: number): boolean {
    if (this.isOver || this.status === status) return false;
    this.status = status;
    this.sipStatus = sipStatus;
    this.statuses.push(status);
    if (status === 'in-progress') this.answeredAt = this.#clock.wallMs();
    if (this.isOver) this.#endedAt = this.#clock.wallMs();
    return true;
  }

  /** As webhooks and the API say it. */
  webhook(): Record<string, unknown> {
    const { terminatedBy, answeredAt } = this;
    return {
      call_sid: this.sid,
      direction: this.direction,
      from: this.from,
      to: this.to,
      call_id: this.sipCallId,
      sip_status: this.sipStatus,
      call_status: this.status,
      account_sid: this.#accountSid,
      fs_sip_address: '127.0.0.1:5060',
      ...this.#further,
      ...(terminatedBy === null ? {} : { call_termination_by: terminatedBy }),
      ...(this.#endedAt === null || answeredAt === null
        ? {}
        : { duration: Math.floor((this.#endedAt - answeredAt) / 1_000) }),
    };
  }

  /** As the first message of a stream says it. */
  metadata(): Record<string, unknown> {
    return {
      callSid: this.sid,
      direction: this.direction,
      from: this.from,
      to: this.to,
      callId: this.sipCallId,
      sipStatus: this.sipStatus,
      callStatus: this.status,
      accountSid: this.#accountSid,
    };
  }
}
