import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';

export type JambonzStatus =
  'trying' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'failed';

const FINAL: readonly JambonzStatus[] = ['completed', 'busy', 'no-answer', 'failed'];

/** The state of a call, or of its second leg. */
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
  /** Every status so far. */
  readonly statuses: JambonzStatus[] = [];
  readonly #accountSid: string;
  readonly #further: Readonly<Record<string, unknown>>;
  readonly #clock: Clock;
  #endedAt: number | null = null;

  /** @param further fields of this call alone, in the form of webhooks */
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

  /** True if the status changed; an ended call stays as it is. */
  moveTo(status: JambonzStatus, sipStatus: number): boolean {
    if (this.isOver || this.status === status) return false;
    this.status = status;
    this.sipStatus = sipStatus;
    this.statuses.push(status);
    if (status === 'in-progress') this.answeredAt = this.#clock.wallMs();
    if (this.isOver) this.#endedAt = this.#clock.wallMs();
    return true;
  }

  /** The call in the form of webhooks and the API. */
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

  /** The call in the form of a stream's first message. */
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
