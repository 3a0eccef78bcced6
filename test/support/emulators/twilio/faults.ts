/** What goes wrong with one request of the service. */
export type ApiFault =
  /** It is done, and the connection breaks before the answer. */
  | { kind: 'lost_answer' }
  /** The connection breaks, and nothing is done. */
  | { kind: 'broken_connection' }
  | { kind: 'too_many'; retryAfterSeconds: number }
  | { kind: 'server_error'; isDone: boolean }
  /** The first status callback comes before the answer. */
  | { kind: 'callback_first' };

/** What a request to the service is about. */
export interface CallbackAbout {
  purpose: Purpose;
  callSid: string;
  /** The call's status when it is sent. */
  status: string;
}

export type Purpose = 'incoming' | 'answered' | 'action' | 'status' | 'machine' | 'stream-status';

/** How a request to the service travels: once and at once, if nothing else is said. A dropped one has no copies. */
export interface CallbackTravel {
  copies?: number;
  /** A delayed one is overtaken by those that come after it. */
  delayMs?: number;
}

/** What goes wrong at an emulated carrier; at first nothing. */
export class Faults {
  /** For the next requests for a call, one each. */
  readonly creates: ApiFault[] = [];
  /** For the next changes of a call, one each. */
  readonly updates: ApiFault[] = [];
  callback: (about: CallbackAbout) => CallbackTravel = () => ({});
}
