import { toInstant } from '#kernel/time/clock.js';
import type { Resampling } from '#media/samples/resampler.js';
import { CallLife } from '#test/support/emulators/call-life.js';
import type { CarrierParts } from '#test/support/emulators/emulated-carrier.js';
import type { Person } from '#test/support/emulators/person.js';
import type { NotTaken } from '#test/support/emulators/phone-network.js';
import { CallRecord, type CallStatus } from './call-record.js';
import { CallRequests, type CallRequestParts, type EventContent } from './call-requests.js';
import { machineEvents } from './machine-detection.js';
import type { MediaSocket } from './media-socket.js';
import { NccoError, readActions, type NccoAction } from './ncco.js';
import { runNcco } from './ncco-run.js';
import { openSocket } from './open-socket.js';

/** The instructions for a call; URLs are the service's. */
export interface CallOrder {
  answerUrl?: string | undefined;
  answerMethod: 'GET' | 'POST';
  ncco?: string | undefined;
  eventUrl: string | null;
  ringingTimerSeconds: number;
  machineDetection: boolean;
}

export interface CallParts extends CallRequestParts, CarrierParts {
  resampling: Resampling;
}

/** The ends of unanswered calls. */
const NOT_TAKEN: Readonly<Record<NotTaken, { status: CallStatus; detail?: string; sip_code: number }>> = {
  busy: { status: 'busy', sip_code: 486 },
  no_answer: { status: 'timeout', sip_code: 480 },
  rejected: { status: 'rejected', detail: 'declined', sip_code: 603 },
  failed: { status: 'failed', detail: 'number_out_of_service', sip_code: 404 },
};

/** One call at the emulated carrier. */
export class EmulatedCall extends CallLife {
  readonly record: CallRecord;
  readonly order: CallOrder;
  /** DTMF keys sent by the service. */
  readonly keys: string[] = [];
  readonly sockets: MediaSocket[] = [];
  /** The second legs. */
  readonly legs: CallRecord[] = [];
  readonly #parts: CallParts;
  readonly #requests: CallRequests;

  constructor(record: CallRecord, order: CallOrder, parts: CallParts) {
    super(parts);
    this.record = record;
    this.order = order;
    this.#parts = parts;
    this.#requests = new CallRequests(parts);
  }

  /** Dials the phone. */
  place(reference: string | null): void {
    const { to, from, uuid } = this.record;
    this.#moveTo('started');
    const call = { to: `+${to}`, from: `+${from}`, reference, carrierCallId: uuid };
    this.phone = this.#parts.network.dial(
      { ...call, ringLimitMs: this.order.ringingTimerSeconds * 1000 },
      {
        ringing: () => this.#moveTo('ringing'),
        notTaken: (how) => {
          const { status, ...why } = NOT_TAKEN[how];
          this.end(status, why);
        },
        answered: (person) => this.#answered(person),
      },
    );
  }

  /** An inbound call: it rings until the service's NCCO has an action. */
  arrive(person: Person): void {
    this.person = person;
    person.onHangUp = () => this.end('completed', { disconnected_by: 'user' });
    this.#moveTo('started');
    this.#moveTo('ringing');
    void this.#perform(() => this.#firstNcco('incoming'));
  }

  /** Executes another NCCO; the running one is aborted. */
  redirect(ncco: string): void {
    void this.#perform(async () => readActions(ncco));
    const { uuid, conversation } = this.record;
    void this.#tell('status', this.order.eventUrl, {
      uuid,
      conversation_uuid_from: conversation,
      conversation_uuid_to: conversation,
      timestamp: toInstant(this.#parts.clock.wallMs()),
    });
  }

  /** The person presses a DTMF key. */
  press(digit: string): void {
    this.sockets.at(-1)?.press(digit);
  }

  /** Hangs up at the service's request, or at the end of the NCCO. */
  hangUp(): void {
    const isGivenUp = this.record.answeredAt === null && this.record.direction === 'outbound';
    this.end(isGivenUp ? 'cancelled' : 'completed', isGivenUp ? {} : { disconnected_by: 'platform' });
  }

  /** Ends the call, once. */
  end(status: CallStatus, why: EventContent): void {
    if (this.record.isOver) return;
    this.letGo();
    this.#moveTo(status, why);
    // Every end is followed by `completed`, unless the call was rejected.
    if (status !== 'completed' && status !== 'rejected')
      void this.#tell('status', this.order.eventUrl, this.record.completion());
  }

  /** The carrier drops the call. */
  drop(): void {
    this.end('failed', { detail: 'internal_error' });
    for (const socket of this.sockets) socket.terminate();
  }

  #answered(person: Person): void {
    this.person = person;
    person.onHangUp = () => this.end('completed', { disconnected_by: 'user' });
    this.#moveTo('answered');
    void this.#perform(() => this.#firstNcco('answered'));
    if (!this.order.machineDetection) return;
    for (const { afterMs, status, ...found } of machineEvents(person.answeredBy)) {
      void this.wait(afterMs).then(() => {
        if (this.record.isOver) return;
        const { uuid: _uuid, ...event } = this.record.event({
          call_uuid: this.record.uuid,
          status,
          ...found,
        });
        void this.#tell('machine', this.order.eventUrl, event);
      });
    }
  }

  /** Executes an NCCO instead of the running one; the call ends if it is invalid. */
  async #perform(ncco: () => Promise<readonly NccoAction[]>): Promise<void> {
    const turn = this.takeTurn();
    try {
      const actions = await ncco();
      if (turn.aborted) return;
      this.#answer();
      const replacement = await runNcco(actions, this.#means, turn);
      if (turn.aborted) return;
      if (replacement) await this.#perform(async () => replacement);
      else this.hangUp();
    } catch (error) {
      if (!(error instanceof NccoError)) throw error;
      this.#parts.log.complain(400, error.message);
      if (!turn.aborted) this.hangUp();
    }
  }

  /** The implementations of NCCO actions. */
  readonly #means = {
    talk: (text: string, signal: AbortSignal) => this.speak(text, signal),
    socket: (action: Extract<NccoAction, { action: 'connect' }>, signal: AbortSignal) => {
      const [endpoint] = action.endpoint;
      const { uri, headers } = endpoint.type === 'websocket' ? endpoint : { uri: '', headers: {} };
      const leg = this.#leg(uri);
      const url = action.eventUrl?.[0] ?? this.order.eventUrl;
      const tell = (further: EventContent) =>
        this.#tell('stream-status', url, leg.event({ ...further, headers }));
      const call = { leg, person: this.person!, sockets: this.sockets };
      return openSocket(action, call, { ...this.#parts, tell }, signal);
    },
    phone: (action: Extract<NccoAction, { action: 'connect' }>, signal: AbortSignal) =>
      this.#connect(action, signal),
  };

  /** Dials another number, and resolves when that leg is over. */
  #connect(action: Extract<NccoAction, { action: 'connect' }>, signal: AbortSignal): Promise<void> {
    const [endpoint] = action.endpoint;
    const leg = this.#leg(endpoint.type === 'phone' ? endpoint.number : '', action.from);
    this.legs.push(leg);
    const url = action.eventUrl?.[0] ?? this.order.eventUrl;
    const move = (status: CallStatus) => {
      if (leg.moveTo(status)) void this.#tell('status', url, leg.event());
    };
    move('started');
    return new Promise((resolve) => {
      const call = { to: `+${leg.to}`, from: `+${leg.from}`, reference: null, carrierCallId: leg.uuid };
      const over = (status: CallStatus) => {
        move(status);
        resolve();
      };
      const dialled = this.#parts.network.dial(
        { ...call, ringLimitMs: 60_000 },
        {
          ringing: () => move('ringing'),
          notTaken: (how) => over(NOT_TAKEN[how].status),
          answered: (person) => {
            move('answered');
            signal.addEventListener('abort', () => person.leave(), { once: true });
            person.onHangUp = () => over('completed');
          },
        },
      );
      const leave = () => {
        dialled.hangUp();
        over(leg.answeredAt === null ? 'cancelled' : 'completed');
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #leg(to: string, from = this.record.to): CallRecord {
    const { conversation } = this.record;
    return new CallRecord({ from, to, direction: 'outbound', conversation }, this.#parts.clock);
  }

  /** @throws NccoError */
  async #firstNcco(purpose: 'incoming' | 'answered'): Promise<readonly NccoAction[]> {
    const { answerUrl: url, answerMethod: method, ncco } = this.order;
    if (!url) return readActions(ncco ?? '[]');
    const { uuid, conversation, from, to } = this.record;
    const content = { to, from, uuid, conversation_uuid: conversation };
    const answer = await this.#requests.ask({ purpose, callUuid: uuid, to, url, method, content });
    if (!answer || answer.status >= 300) throw new NccoError(`${purpose}: no NCCO`);
    if (!/^application\/json\b/.test(answer.contentType))
      throw new NccoError(`${purpose}: ${answer.contentType} is not JSON`);
    return readActions(answer.body);
  }

  #answer(): void {
    if (this.record.direction === 'inbound') this.#moveTo('answered');
  }

  #moveTo(status: CallStatus, further: EventContent = {}): void {
    if (!this.record.moveTo(status)) return;
    void this.#tell('status', this.order.eventUrl, this.record.event(further));
  }

  async #tell(
    purpose: 'status' | 'machine' | 'stream-status',
    url: string | null,
    content: EventContent,
  ): Promise<string | null> {
    if (url === null) return null;
    const { uuid, to } = this.record;
    const answer = await this.#requests.tell({ purpose, callUuid: uuid, to, url, method: 'POST', content });
    this.wasTold();
    return answer && answer.status < 300 ? answer.body : null;
  }
}
