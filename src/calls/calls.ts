import type { ModuleContext } from '#store/module-context.js';
import { idempotencyTransactions, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import type { Principal } from '#access/keys/principal.js';
import { requireOwnCallerId } from '#agents/phone-numbers/caller-id.js';
import { derivedId } from '#kernel/ids/ids.js';
import { dtmfDurationMs } from '#media/detecting/dtmf.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Cursor } from '#store/page.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { jobTransactions } from '#calls/after-call/job-store.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { CreatedAnswerKind, CreatedCall } from '#calls/resources/call-created.js';
import type { CallErasure, ErasedCall } from '#calls/erasure/erase-call.js';
import type { CallOptions } from '#calls/requests/call-request.js';
import { callTransactions } from './call-store.js';
import type { CallRow } from '#calls/record/call.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { callMachine } from '#calls/record/call-machine.js';
import { draftCall, type CallDefaults } from '#calls/requests/draft-call.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { ActionExchange } from '#calls/live/actions/action-exchange.js';
import { DISCONNECT_TIMEOUT_MS } from '#calls/live/actions/perform-action.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { keptZone, readScheduledTime } from '#calls/requests/scheduled-time.js';
import { sendDigits, type DigitsSent } from '#calls/live/sessions/send-digits.js';
import { talkTransactions } from '#calls/talk/talk-store.js';

/** The time that a request to another process may take in addition to the duration of the digits themselves. */
const DIGITS_MARGIN_MS = 5_000;

/** A request for a new call, from any endpoint. */
export interface NewCallRequest {
  principal: Principal;
  agentId: string | null;
  to: string;
  from: string | null;
  /** The request's name for the field `from`, for error messages. */
  fromField?: 'from_number' | 'from_phone';
  name: string | null;
  options: CallOptions;
  /** True: a number that is not allowed refuses the request. */
  isStrict?: boolean;
}

export interface CallsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  carriers: CarrierPool;
  txContexts: TxContexts;
  sessions: LiveSessions;
  exchange: Pick<ActionExchange, 'ask'>;
  nodeId: string;
  endings: CallEndings;
  providers: KnownProviders;
  /** Wakes the dialler for a call that is due at `dueAt` (epoch milliseconds). */
  wakeDialler(dueAt: number): void;
  /** Wakes the after-call loop. */
  wakeAfterCall(): void;
  erasure: Pick<CallErasure, 'erase'>;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  settings: {
    defaultFromNumber: string;
    defaultTimezone: string;
    planningHorizonDays: number;
    recordStorage: 'local' | 's3';
    /** True: a number that is not allowed refuses every request, also without `isStrict`. */
    refusesForbiddenNumbers: boolean;
  };
}

/**
 * The operations on calls, for the HTTP routes: create, read, disconnect, send digits, analyse again, erase. Every
 * operation with an id throws Problem `call_not_found` for a call of another workspace.
 */
export class Calls {
  /** The default values of calls, also for other modules that draft calls. */
  readonly defaults: CallDefaults;
  readonly #parts: CallsParts;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.defaults = {
      fromNumber: parts.settings.defaultFromNumber,
      carrierName: parts.carriers.outbound.name,
      recordStorage: parts.settings.recordStorage,
      providers: parts.providers,
    };
  }

  /**
   * Accepts a call: durable when this resolves, dialled soon after or at its scheduled time.
   * @param answer the idempotent answer to store; null when the request carries no idempotency key
   */
  async create(
    wanted: NewCallRequest,
    answer: { kind: CreatedAnswerKind; kept: IdempotentAnswer } | null,
  ): Promise<CreatedCall> {
    const { store, ids, txContexts, rules, wakeDialler, settings } = this.#parts;
    await requireOwnCallerId(
      { store, defaults: this.defaults },
      {
        workspace: wanted.principal.workspace,
        phoneNumber: wanted.from,
        field: wanted.fromField ?? 'from_phone',
      },
    );
    const id = ids.next('call');
    const { scheduledAt, timezone } = this.#readTime(wanted.options);
    // A scheduled call is announced when it is due.
    const context = scheduledAt === null ? txContexts.now(id) : txContexts.unannounced();
    const dueAt = scheduledAt ?? context.at;
    const call = await store.write(callTransactions.create, {
      call: draftCall(
        id,
        { workspace: wanted.principal.workspace, dueAt, scheduledAt, timezone, ...wanted },
        this.defaults,
      ),
      agentId: wanted.agentId,
      attempt: { id: ids.next('dial'), dueAt },
      rules,
      answer,
      providers: this.defaults.providers,
      context,
      refusal: scheduledAt === null ? txContexts.finish(id, 'policy_blocked') : null,
      isStrict: (wanted.isStrict ?? false) || settings.refusesForbiddenNumbers,
    });
    if (call.ended_reason === null) wakeDialler(dueAt);
    return call;
  }

  /** A call's row. */
  get(principal: Principal, id: string): Promise<CallRow> {
    return this.#parts.store.read(callTransactions.get, { workspace: principal.workspace, id });
  }

  /** A call with its transcript and turns. */
  view(principal: Principal, id: string) {
    return this.#parts.store.read(talkTransactions.view, { workspace: principal.workspace, id });
  }

  /** The tool calls of a call and its use of language models. */
  modelUse(principal: Principal, id: string) {
    return this.#parts.store.read(talkTransactions.model, { workspace: principal.workspace, id });
  }

  /** The turns of a call, with the transcript and the tool calls around them. */
  turns(principal: Principal, id: string) {
    return this.#parts.store.read(talkTransactions.turns, { workspace: principal.workspace, id });
  }

  /** The whole life-cycle log of a call. */
  events(principal: Principal, id: string) {
    return this.#parts.store.read(talkTransactions.events, { workspace: principal.workspace, id });
  }

  /** One page of the life-cycle log of a call. */
  eventPage(principal: Principal, id: string, page: { cursor: Cursor | null; limit: number }) {
    return this.#parts.store.read(talkTransactions.eventPage, {
      workspace: principal.workspace,
      id,
      ...page,
    });
  }

  setMetadata(principal: Principal, id: string, metadata: FreeForm): Promise<CallRow> {
    const at = this.#parts.clock.wallMs();
    return this.#parts.store.write(callTransactions.setMetadata, {
      workspace: principal.workspace,
      id,
      metadata,
      at,
    });
  }

  /** Queues another analysis of an ended call; the new analysis replaces the old one. */
  async analyseAgain(principal: Principal, id: string): Promise<CallRow> {
    const { store, clock, wakeAfterCall } = this.#parts;
    const args = { workspace: principal.workspace, id, at: clock.wallMs() };
    const call = await store.write(jobTransactions.analyseAgain, args);
    wakeAfterCall();
    return call;
  }

  /** Ends a call in any status, and waits briefly until the end is written. */
  async disconnect(principal: Principal, id: string): Promise<{ call: CallRow; alreadyEnded: boolean }> {
    const call = await this.get(principal, id);
    if (callMachine.isFinal(call.status)) return { call, alreadyEnded: true };
    const { sessions, endings } = this.#parts;
    const over = endings.wait(id, DISCONNECT_TIMEOUT_MS);
    if (sessions.end(id, 'api_disconnect')) await over;
    else if (!(await this.#disconnectElsewhere(call, principal))) {
      await this.#disconnectWithoutAudio(call);
      await over;
    }
    return { call: await this.get(principal, id), alreadyEnded: false };
  }

  /** Asks the process that has the call's audio to end the call. False when this process has it, or on failure. */
  async #disconnectElsewhere(call: CallRow, principal: Principal): Promise<boolean> {
    const { exchange, log, nodeId } = this.#parts;
    if ((call.status !== 'active' && call.status !== 'ending') || call.node_id === nodeId) return false;
    try {
      await exchange.ask({
        callId: call.id,
        action: { name: 'disconnect' },
        by: principal,
        takenWithinMs: DISCONNECT_TIMEOUT_MS,
      });
      return true;
    } catch (error) {
      log.info({ err: error, call_id: call.id }, 'the process with the audio of a call did not end it');
      return false;
    }
  }

  async #disconnectWithoutAudio({ id }: CallRow): Promise<void> {
    const { endings } = this.#parts;
    const ended = await endings.endWithoutAudio(id, 'api_disconnect', { unansweredReason: 'cancelled' });
    // Only now: the row tells of a line that the carrier has taken just before, and later ones are not wanted.
    if (ended) await hangUp(ended, this.#parts);
  }

  /**
   * Sends DTMF digits on a live call.
   * @param answer the idempotent answer to store once the digits are sent; its body is made here
   * @throws Problem `call_not_found`, and as {@link sendDigits}
   */
  async sendDigits(
    principal: Principal,
    id: string,
    digits: string,
    answer?: IdempotentAnswer,
  ): Promise<DigitsSent> {
    const sendElsewhere = async (call: CallRow) => {
      await this.#parts.exchange.ask({
        // With the same id, a repeated request sends no digit twice, even if the process of the first request died.
        ...(answer && { id: derivedId('act', 0, answer.scope, answer.key) }),
        callId: call.id,
        action: { name: 'digits', digits },
        by: principal,
        doneWithinMs: dtmfDurationMs(digits) + DIGITS_MARGIN_MS,
      });
    };
    await sendDigits(await this.get(principal, id), digits, { ...this.#parts, sendElsewhere });
    const sent: DigitsSent = { call_id: id, id, digits, sent: true };
    if (answer) {
      const kept = { ...answer, body: JSON.stringify(sent), subjectId: id };
      await this.#parts.store.write(idempotencyTransactions.keep, { answer: kept });
    }
    return sent;
  }

  /** Erases the personal data of an ended call; deleting the recording's file, if any, is left to the calling code. */
  erase(principal: Pick<Principal, 'workspace'>, id: string): Promise<ErasedCall> {
    const at = this.#parts.clock.wallMs();
    return this.#parts.erasure.erase({ workspace: principal.workspace, id, at });
  }

  #readTime({ scheduled_time: written, timezone }: CallOptions) {
    if (written === undefined) return { scheduledAt: null, timezone: null };
    const { settings, clock } = this.#parts;
    const zone = timezone ?? settings.defaultTimezone;
    const scheduledAt = readScheduledTime(written, zone, {
      now: clock.wallMs(),
      horizonDays: settings.planningHorizonDays,
    });
    return { scheduledAt, timezone: timezone ?? keptZone(written, zone) };
  }
}
