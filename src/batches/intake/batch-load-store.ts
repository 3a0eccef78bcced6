import { findAgent, requireAgentSummary } from '#agents/definitions/agent-rows.js';
import { neededVariables, type NeededVariables } from '#agents/definitions/needed-variables.js';
import { requireProviders } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { ensureDefaultAgent } from '#agents/definitions/default-agent.js';
import type { AgentSummary } from '#agents/definitions/agent.js';
import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import type { CallAgent } from '#calls/record/insert-call.js';
import { createCall } from '#calls/record/create-call.js';
import { draftCall, type CallDefaults, type CallPlan } from '#calls/requests/draft-call.js';
import { Problem } from '#kernel/errors/errors.js';
import { storeSuppressedRefusals, type AcceptedCalls } from '#policy/decisions/ask-policy.js';
import { forgetCall } from '#policy/decisions/decision-rows.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { insertInto } from '#store/statements/insert.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import { insertRejectedRows } from '#batches/record/rejected-rows.js';
import { insertBatch, requireBatch } from '#batches/record/batch-rows.js';
import type { IntakeRecipient } from './intake.js';
import { dataOf, lackingRow, type LackingRow } from './lacking-row.js';

/** How many rows of an abandoned batch one transaction deletes. */
const ROWS_PER_CLEARING = 200;

/** SQL condition: the batch is loading and not abandoned. Its parameter is the id. */
const IS_BEING_MADE = `id = ? and status = 'loading' and deleted_at is null`;

/** A batch before its agent is known. */
export type BatchDraft = Omit<BatchRow, 'agent_id' | 'agent_name' | 'language'>;

/** The part of the plan that all calls of a batch share. */
export type SharedPlan = Pick<
  CallPlan,
  'workspace' | 'from' | 'dueAt' | 'scheduledAt' | 'batchId' | 'options'
>;

/** Recipients of a batch that are added in one transaction. */
export interface LoadSlice {
  batchId: string;
  /** JSON text of {@link IntakeRecipient}s. */
  text: string;
  /** A new id for each recipient. */
  callIds: readonly string[];
  /** Position of the first recipient in the batch. */
  firstPosition: number;
  plan: SharedPlan;
  defaults: CallDefaults;
  agent: CallAgent;
  /** The names of the variables that the agent's texts need. */
  needed: readonly string[];
  context: TxContext;
  /** The rules of the policy. */
  rules: PolicyRules;
  /** Without another slice by this instant (epoch milliseconds), the batch counts as abandoned. */
  giveUpAt: number;
}

/** The initial row of a recipient. @param index its place in the slice */
export function newRecipient(recipient: IntakeRecipient, index: number, slice: LoadSlice): RecipientRow {
  const callId = slice.callIds[index]!;
  return {
    batch_id: slice.batchId,
    position: slice.firstPosition + index,
    call_id: callId,
    last_call_id: callId,
    phone_number: recipient.phone_number,
    name: recipient.name ?? null,
    label: null,
    from_phone: null,
    status: recipient.duplicate ? 'skipped' : 'pending',
    shown_status: null,
    reason: recipient.duplicate ? 'duplicate' : null,
    attempts: 0,
    scheduled_time: null,
    scheduled_at: null,
    timezone: null,
    // With the batch.
    due_at: 0,
    duration_seconds: 0,
    updated_at: slice.context.at,
    deleted_at: null,
  };
}

/**
 * The transactions that store a new batch, for `Batches.create`. A batch is stored in slices, so that other users of
 * the database do not wait long. Until `finish` it is `loading`: never shown and never dialled. A batch whose request
 * does not finish it is deleted.
 */
export const batchLoadTransactions = defineTransactions('batch_loads', {
  /** Stores a batch without recipients. @throws Problem `agent_not_found`, `provider_not_configured` */
  async begin(
    tx,
    args: {
      batch: BatchDraft;
      agentId: string | null;
      /** Provider of the calls; null for that of the agent. */
      transcriptionProvider: string | null;
      providers: KnownProviders;
    },
  ): Promise<{ agent: CallAgent; needed: NeededVariables }> {
    const { batch } = args;
    const agent = await agentOf(tx, batch, args);
    const { id, name, language } = agent;
    const transcription_provider = args.transcriptionProvider ?? agent.transcription_provider;
    requireProviders({ ...agent, transcription_provider }, args.providers);
    await insertBatch(tx, { ...batch, agent_id: id, agent_name: name, language });
    return {
      agent: { id, name, language, transcription_provider },
      needed: await neededVariables(tx, id),
    };
  },

  /**
   * Writes some numbers with their calls, and the policy's refusals of suppressed numbers.
   * @returns the rows that lack variables, with the names of these variables
   * @throws Problem `unavailable` for an abandoned batch
   */
  async load(tx, args: LoadSlice): Promise<LackingRow[]> {
    const { batchId, giveUpAt } = args;
    const changed = await tx.run(`update batches set feed_at = ? where ${IS_BEING_MADE}`, giveUpAt, batchId);
    if (changed !== 1) throw abandonedProblem();
    const recipients = JSON.parse(args.text) as IntakeRecipient[];
    for (const [index, recipient] of recipients.entries()) {
      const callId = args.callIds[index]!;
      const call = await createCall(tx, {
        call: draftCall(callId, planFor(recipient, args.plan), args.defaults),
        agent: args.agent,
        context: args.context,
      });
      if (recipient.duplicate)
        await moveCall(tx, call, { to: 'cancelled', context: args.context, reason: 'cancelled' });
      await insertInto(tx, 'batch_recipients', { ...newRecipient(recipient, index, args) });
    }
    await storeSuppressedRefusals(tx, acceptedCalls(recipients, args));
    return recipients.flatMap((recipient) => lackingRow(recipient, args.needed));
  },

  /** Completes the batch, which is visible from now on. @throws Problem `unavailable` for an abandoned batch */
  async finish(
    tx,
    args: {
      workspace: string;
      batchId: string;
      feedAt: number;
      answer: IdempotentAnswer | null;
      /** Rejected rows, for the results: JSON texts, as in `Intake.rejected`. */
      rejected: readonly string[];
    },
  ): Promise<BatchRow> {
    const changed = await tx.run(
      `update batches set status = 'scheduled', feed_at = ? where ${IS_BEING_MADE}`,
      args.feedAt,
      args.batchId,
    );
    if (changed !== 1) throw abandonedProblem();
    await insertRejectedRows(tx, args.batchId, args.rejected);
    if (args.answer) await keepAnswer(tx, { ...args.answer, subjectId: args.batchId });
    return requireBatch(tx, { workspace: args.workspace, id: args.batchId });
  },

  /**
   * Deletes a part of an abandoned batch; true when nothing is left. After the first part the request cannot complete
   * the batch, even if it was only stalled.
   */
  async clear(tx, args: { batchId: string; now: number }): Promise<boolean> {
    const batch = await tx.get(
      `select workspace from batches where id = ? and status = 'loading'${tx.dialect.forUpdate}`,
      args.batchId,
    );
    if (!batch) return true;
    await tx.run('update batches set deleted_at = ? where id = ?', args.now, args.batchId);
    const rows = await tx.all(
      `select position, call_id, phone_number from batch_recipients where batch_id = ? order by position limit ${ROWS_PER_CLEARING}`,
      args.batchId,
    );
    for (const row of rows) {
      const callId = String(row['call_id']);
      await forgetCall(tx, {
        workspace: String(batch['workspace']),
        phoneNumber: String(row['phone_number']),
        callId,
      });
      await tx.run('delete from call_events where call_id = ?', callId);
      await tx.run('delete from calls where id = ?', callId);
      await tx.run(
        'delete from batch_recipients where batch_id = ? and position = ?',
        args.batchId,
        Number(row['position']),
      );
    }
    const isGone = rows.length < ROWS_PER_CLEARING;
    if (isGone) await tx.run('delete from batches where id = ?', args.batchId);
    else await tx.run('update batches set feed_at = ? where id = ?', args.now, args.batchId);
    return isGone;
  },
});

/** The problem of a batch that was abandoned: some of its rows may be deleted already. */
function abandonedProblem(): Problem {
  return new Problem('unavailable', 'Taking the batch took too long; nothing of it is kept. Send it again.', {
    retryAfterSeconds: 1,
  });
}

/** The requested agent, else the agent of the caller id, else the default agent. */
async function agentOf(
  tx: Tx,
  batch: BatchDraft,
  { agentId }: { agentId: string | null },
): Promise<AgentSummary> {
  const { workspace } = batch;
  if (agentId !== null) return requireAgentSummary(tx, workspace, agentId, 'agent_id');
  const number = await tx.get(
    'select agent_id from phone_numbers where phone_number = ? and workspace = ? and agent_id is not null',
    batch.from_phone,
    workspace,
  );
  const agentOfNumber = number && (await findAgent(tx, workspace, String(number['agent_id'])));
  return agentOfNumber || ensureDefaultAgent(tx, { workspace, at: batch.created_at });
}

/** The calls of a slice for the policy; duplicates, which are not called, are left out. */
function acceptedCalls(recipients: readonly IntakeRecipient[], slice: LoadSlice): AcceptedCalls {
  const { workspace, scheduledAt } = slice.plan;
  const now = slice.context.at;
  const calls = recipients.flatMap(({ phone_number: phoneNumber, duplicate }, index) =>
    duplicate ? [] : [{ phoneNumber, callId: slice.callIds[index]! }],
  );
  return { workspace, now, dialAt: Math.max(now, scheduledAt ?? now), rules: slice.rules, calls };
}

/** The plan of a recipient's call. */
function planFor(recipient: IntakeRecipient, shared: SharedPlan): CallPlan {
  const { name, metadata = {} } = recipient;
  return {
    ...shared,
    to: recipient.phone_number,
    name: name ?? null,
    options: { ...shared.options, metadata, customer_data: dataOf(recipient) },
  };
}
