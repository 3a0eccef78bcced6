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
import { readScheduledTime, zoneToStore } from '#calls/requests/scheduled-time.js';
import { sendDigits, type DigitsSent } from '#calls/live/sessions/send-digits.js';
import { talkTransactions } from '#calls/talk/talk-store.js';

/**
 * How long another process may take to begin sending digits and to answer, in addition to the duration of the digits
 * themselves.
 */
const DIGITS_MARGIN_MS = 5_000;

/** A request for a new outbound call, from either of the two endpoints that create calls. Phone numbers are E.164. */
export interface NewCallRequest {
  principal: Principal;
  /** Null: the workspace's default agent. */
  agentId: string | null;
  to: string;
  /** The caller id; null for the default one. */
  from: string | null;
  /** The request's name for the field `from`, for error messages. */
  fromField?: 'from_number' | 'from_phone';
  /** The client's label for the call. */
  name: string | null;
  options: CallOptions;
  /**
   * True: a number that the calling policy does not allow refuses the request. False: the call is stored, and ends with
   * the policy's reason at once, or when it is due.
   */
  isStrict?: boolean;
}

/** The dependencies of {@link Calls}. */
export interface CallsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  carriers: CarrierPool;
  txContexts: TxContexts;
  sessions: LiveSessions;
  /** Passes actions to the process that has the audio of a call. */
  exchange: Pick<ActionExchange, 'ask'>;
  /** The id of this process. */
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
 * The operations on calls, for the HTTP routes: create, read, change the metadata, disconnect, send digits, analyse
 * again, erase. Every operation on an existing call throws Problem `call_not_found` unless the workspace has the call.
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
   * Accepts a call: stored durably when this resolves, and dialled soon after or at its scheduled time. A call that the
   * policy forbids refuses the request, or is stored as ended; see `isStrict`.
   * @param answer the idempotent answer to store; null when the request carries no idempotency key
   * @throws Problem `number_not_allowed` for a strict request, `invalid_time`, `agent_not_found`,
   *   `provider_not_configured`, `validation_error`
   */
  async create(
    request: NewCallRequest,
    answer: { kind: CreatedAnswerKind; kept: IdempotentAnswer } | null,
  ): Promise<CreatedCall> {
    const { store, ids, txContexts, rules, wakeDialler, settings } = this.#parts;
    await requireOwnCallerId(
      { store, defaults: this.defaults },
      {
        workspace: request.principal.workspace,
        phoneNumber: request.from,
        field: request.fromField ?? 'from_phone',
      },
    );
    const id = ids.next('call');
    const { scheduledAt, timezone } = this.#readTime(request.options);
    // A scheduled call sends no event now: `call.initiated` follows when it is due.
    const context = scheduledAt === null ? txContexts.now(id) : txContexts.unannounced();
    const dueAt = scheduledAt ?? context.at;
    const call = await store.write(callTransactions.create, {
      call: draftCall(
        id,
        { workspace: request.principal.workspace, dueAt, scheduledAt, timezone, ...request },
        this.defaults,
      ),
      agentId: request.agentId,
      attempt: { id: ids.next('dial'), dueAt },
      rules,
      answer,
      providers: this.defaults.providers,
      context,
      // A scheduled call that the policy forbids ends when it is due.
      refusal: scheduledAt === null ? txContexts.finish(id, 'policy_blocked') : null,
      isStrict: (request.isStrict ?? false) || settings.refusesForbiddenNumbers,
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
    return this.#parts.store.read(talkTransactions.modelUse, { workspace: principal.workspace, id });
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

  /** Replaces the metadata of a call. */
  setMetadata(principal: Principal, id: string, metadata: FreeForm): Promise<CallRow> {
    const { workspace } = principal;
    return this.#parts.store.write(callTransactions.setMetadata, { workspace, id, metadata });
  }

  /**
   * Queues another analysis of an ended call; the new analysis replaces the old one.
   * @throws Problem `invalid_state` for a call that has not ended, or has no transcript
   */
  async analyseAgain(principal: Principal, id: string): Promise<CallRow> {
    const { store, clock, wakeAfterCall } = this.#parts;
    const args = { workspace: principal.workspace, id, at: clock.wallMs() };
    const call = await store.write(jobTransactions.analyseAgain, args);
    wakeAfterCall();
    return call;
  }

  /**
   * Ends a call in any status, and waits for a short time until the end is written. If that takes longer, the returned
   * call is still ending.
   */
  async disconnect(principal: Principal, id: string): Promise<{ call: CallRow; alreadyEnded: boolean }> {
    const call = await this.get(principal, id);
    if (callMachine.isFinal(call.status)) return { call, alreadyEnded: true };
    const { sessions, endings } = this.#parts;
    // The wait begins before the end is requested, so that a fast end is not missed.
    const endWritten = endings.waitForEnd(id, DISCONNECT_TIMEOUT_MS);
    const isLiveHere = sessions.end(id, 'api_disconnect');
    if (isLiveHere) await endWritten;
    else if (!(await this.#disconnectElsewhere(call, principal))) {
      await this.#disconnectWithoutAudio(call);
      await endWritten;
    }
    return { call: await this.get(principal, id), alreadyEnded: false };
  }

  /**
   * Asks the other process that has the call's audio to end the call. False if no other process has the audio, or if
   * the request fails: the calling code then ends the call itself.
   */
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

  /**
   * Ends a call without audio here, and hangs up its leg, if any. Most of these calls wait, are dialled, or ring. An
   * active call whose process did not answer only begins to end.
   */
  async #disconnectWithoutAudio({ id }: CallRow): Promise<void> {
    const { endings } = this.#parts;
    const ended = await endings.endWithoutAudio(id, 'api_disconnect', { unansweredReason: 'cancelled' });
    // The row that the end returns is newer than the one read before: it names a leg that the carrier has just placed.
    // A leg that is placed later is hung up by `CallPlacer`, which finds the call ended.
    if (ended) await hangUp(ended, this.#parts);
  }

  /**
   * Sends DTMF digits on a live call; resolves when they are sent.
   * @param answer the idempotent answer to store once the digits are sent; its body is made here
   * @throws Problem `call_not_found`; `invalid_state` unless the call is live until the last digit; `unavailable` if
   *   the carrier or the process with the audio fails
   */
  async sendDigits(
    principal: Principal,
    id: string,
    digits: string,
    answer?: IdempotentAnswer,
  ): Promise<DigitsSent> {
    const sendElsewhere = async (call: CallRow) => {
      await this.#parts.exchange.ask({
        // The id depends on the key only (0: on no time): with the same id, a repeated request sends no digit twice,
        // even if the process of the first request died.
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
      const storedAnswer = { ...answer, body: JSON.stringify(sent), subjectId: id };
      await this.#parts.store.write(idempotencyTransactions.keep, { answer: storedAnswer });
    }
    return sent;
  }

  /** Erases the personal data of an ended call; deleting the recording's file, if any, is left to the calling code. */
  erase(principal: Pick<Principal, 'workspace'>, id: string): Promise<ErasedCall> {
    const at = this.#parts.clock.wallMs();
    return this.#parts.erasure.erase({ workspace: principal.workspace, id, at });
  }

  /** The instant of a scheduled call (epoch milliseconds) and the zone to store with it; both null for a call now. */
  #readTime({ scheduled_time: written, timezone }: CallOptions) {
    if (written === undefined) return { scheduledAt: null, timezone: null };
    const { settings, clock } = this.#parts;
    const zone = timezone ?? settings.defaultTimezone;
    const scheduledAt = readScheduledTime(written, zone, {
      now: clock.wallMs(),
      horizonDays: settings.planningHorizonDays,
    });
    return { scheduledAt, timezone: timezone ?? zoneToStore(written, zone) };
  }
}
