import { requireProviders } from '#agents/definitions/require-providers.js';
import { ensureDefaultAgent } from '#agents/definitions/default-agent.js';
import { Problem } from '#kernel/errors/errors.js';
import type { RequestWarning } from '#kernel/input/request-warnings.js';
import { missingIn, missingWarnings, requireVariables } from '#agents/definitions/missing-variables.js';
import { requireCallingAgent, variablesOfCalls } from '#agents/definitions/needed-variables.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { ENDED_REASONS } from '#calls/record/ended-reason.js';
import type { RefusalReason } from '#policy/deciding/decision.js';
import { loadHistory } from '#policy/decisions/ask-policy.js';
import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { toPage, type Cursor, type Page } from '#store/page.js';
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';
import { askOnAccepting } from '#calls/requests/accept-call.js';
import type { CallRow, NewCall } from '#calls/record/call.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import {
  CREATED_ANSWERS,
  toCreatedCall,
  type CreatedAnswerKind,
  type CreatedCall,
} from '#calls/resources/call-created.js';
import { callFilter, type CallFilter } from './call-filter.js';
import { requireCall, setColumns } from '#calls/record/call-rows.js';
import { type TxContext } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { readCall } from '#calls/record/read-call.js';

/** The input of `callTransactions.create`: an outbound call, its dial attempt, and the rules that may refuse it. */
export interface CreateCall {
  call: NewCall;
  /** The agent that talks; null for the workspace's default agent. */
  agentId: string | null;
  /** The dial attempt; `dueAt` in epoch milliseconds. */
  attempt: { id: string; dueAt: number };
  /** The rules of the calling policy. */
  rules: PolicyRules;
  /** The idempotent answer to store for a repeated request; its body is made here, from the created call. */
  answer: { kind: CreatedAnswerKind; kept: IdempotentAnswer } | null;
  providers: KnownProviders;
  context: TxContext;
  /**
   * How the call ends at once if its number is not allowed. Null for a scheduled call: it is stored with a warning, and
   * the policy is asked again when it is due.
   */
  refusal: FinishDetails | null;
  /** True: a number that is not allowed refuses the request. */
  isStrict: boolean;
}

/** The transactions of `Calls` and `CallViews` on whole calls. */
export const callTransactions = defineTransactions('calls', {
  /**
   * Accepts a call: writes its row, its dial attempt and its first event in one transaction. A scheduled call has no
   * event yet. A call that the policy refuses ends at once without an attempt, unless it is scheduled.
   * @throws Problem `number_not_allowed` for a refused strict request, `agent_not_found`, `provider_not_configured`,
   *   `validation_error`
   */
  async create(tx, args: CreateCall): Promise<CreatedCall> {
    const { at } = args.context;
    const { rules } = args;
    const { workspace, to_phone: phoneNumber, customer_data, customer_context } = args.call;
    const [{ agent, needed }, history] = await Promise.all([
      callingAgent(tx, args),
      loadHistory(tx, { workspace, phoneNumber, moment: 'accepted', now: at, rules }),
    ]);
    const transcription_provider = args.call.transcription_provider ?? agent.transcription_provider;
    requireProviders({ ...agent, transcription_provider }, args.providers);
    const { id, dueAt: wantedAt } = args.attempt;
    const missing = missingWarnings(missingIn(needed.names, customer_data, customer_context));
    requireVariables(needed, missing);
    const accepted = await askOnAccepting(tx, { call: args.call, dueAt: wantedAt, rules, at, history });
    const { refused, dueAt } = accepted;
    if (refused !== null && args.isStrict) throw numberNotAllowedProblem(refused);
    const stored = await createCall(tx, { call: accepted.call, agent, context: args.context });
    const endsAtOnce = refused !== null && args.refusal !== null;
    const call = endsAtOnce ? await finishCall(tx, stored, { ...args.refusal!, reason: refused }) : stored;
    if (!endsAtOnce) enqueueAttempt(tx, { id, lane: 'single', dueAt, wantedAt, callId: call.id, at });
    const created = toCreatedCall(call, [
      ...missing,
      ...(refused === null || endsAtOnce ? [] : [notAllowedWarning(refused)]),
    ]);
    if (args.answer) {
      const body = JSON.stringify(CREATED_ANSWERS[args.answer.kind](created));
      await keepAnswer(tx, { ...args.answer.kept, body, subjectId: call.id });
    }
    return created;
  },

  /** @throws Problem `call_not_found` */
  async get(tx, args: { workspace: string; id: string }): Promise<CallRow> {
    return requireCall(tx, args);
  },

  /**
   * One page of the calls that match a filter, newest first. The duration of a live call runs up to `now` (epoch
   * milliseconds).
   */
  async list(
    tx,
    args: { filter: CallFilter; cursor: Cursor | null; limit: number; now: number },
  ): Promise<Page<CallRow>> {
    const { where, values } = callFilter(args.filter, args.cursor, args.now);
    const rows = await tx.all(
      `select * from calls where ${where} order by created_at desc, id desc limit ?`,
      ...values,
      args.limit + 1,
    );
    const calls = rows.map((row) => readCall(row).value);
    return toPage(calls, args.limit, (call) => ({ createdAt: call.created_at, id: call.id }));
  },

  /**
   * Replaces the metadata of a call. Its `updated_at` stays, since it says when the call last progressed: the watchdog
   * and the recovery of calls measure their time limits from it. @throws Problem `call_not_found`
   */
  async setMetadata(tx, args: { workspace: string; id: string; metadata: FreeForm }): Promise<CallRow> {
    const call = await requireCall(tx, args);
    setColumns(tx, call.id, { metadata: JSON.stringify(args.metadata) });
    return { ...call, metadata: args.metadata };
  },
});

/** The agent that talks, and the variables that its calls need. */
async function callingAgent(tx: Tx, { agentId, call, context }: CreateCall) {
  const { workspace } = call;
  if (agentId !== null) return requireCallingAgent(tx, workspace, agentId, 'agent_id');
  const agent = await ensureDefaultAgent(tx, { workspace, at: context.at });
  return { agent, needed: variablesOfCalls(agent) };
}

// A creation concerns only its own call, so creations of several calls may share a commit.
shareCommits(callTransactions, { create: ({ call }) => call.id, get: noSubject });

function numberNotAllowedProblem(reason: RefusalReason): Problem {
  return new Problem('number_not_allowed', `The call is not made: ${ENDED_REASONS[reason].error}.`, {
    details: [{ field: 'to', code: reason, message: `is not allowed: ${ENDED_REASONS[reason].error}` }],
  });
}

/**
 * The warning in the answer to a scheduled call that the policy would refuse now. The policy decides again at the due
 * time.
 */
function notAllowedWarning(reason: RefusalReason): RequestWarning {
  const message = `As things stand the call will not be made: ${ENDED_REASONS[reason].error}.`;
  return { code: 'number_not_allowed', field: 'to', message };
}
