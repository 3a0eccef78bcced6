import { ensureDefaultAgent, requireAgentLabel } from '../agents/agent-store.js';
import { blankAnswers, keepAnswer, type IdempotentAnswer } from '../access/idempotency-store.js';
import { Problem } from '../kernel/errors.js';
import { forgetCall } from '../policy/decision-store.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import { toPage, type Cursor, type Page } from '../store/page.js';
import { defineUnits } from '../store/unit.js';
import { askOnAccepting } from './requests/accept-call.js';
import { forgetCarrierRecordings } from './reports/carrier-recording-entry.js';
import type { CallRow, FreeForm, NewCall } from './record/call.js';
import {
  CREATED_ANSWERS,
  toCreatedCall,
  type CreatedAnswerKind,
  type CreatedCall,
} from './resources/call-created.js';
import { callFilter, type CallFilter } from './call-filter.js';
import { lockCall, requireCall, setColumns } from './record/call-rows.js';
import { moveCall, type Moment, type Move } from './record/call-progress.js';
import { createCall } from './record/create-call.js';
import { enqueueAttempt } from './queue/dial-queue.js';
import { readCall } from './record/read-call.js';

export interface CreateCall {
  call: NewCall;
  /** The agent that talks, or the workspace's default agent, which is made on first need under a new id. */
  agent: { id: string } | { newId: string };
  /** The first attempt to dial it. */
  attempt: { id: string; dueAt: number };
  /** What the policy goes by. */
  rules: PolicyRules;
  /** The answer to keep for repetitions of the request; its body is made here, where the call is known whole. */
  answer: { kind: CreatedAnswerKind; kept: IdempotentAnswer } | null;
  moment: Moment;
}

export const callUnits = defineUnits('calls', {
  /** Accepts a call: its row, its first event and its place in the dialler's queue, or nothing of it. */
  async create(tx, args: CreateCall): Promise<CreatedCall> {
    const { at } = args.moment;
    const { workspace } = args.call;
    const agent =
      'id' in args.agent
        ? await requireAgentLabel(tx, workspace, args.agent.id, 'agent_id')
        : await ensureDefaultAgent(tx, { workspace, id: args.agent.newId, at });
    const { id, dueAt: wantedAt } = args.attempt;
    const accepted = await askOnAccepting(tx, { call: args.call, dueAt: wantedAt, rules: args.rules, at });
    const call = await createCall(tx, { call: accepted.call, agent, moment: args.moment });
    await enqueueAttempt(tx, { id, lane: 'single', dueAt: accepted.dueAt, callId: call.id, at });
    if (args.answer) {
      const body = JSON.stringify(CREATED_ANSWERS[args.answer.kind](call));
      await keepAnswer(tx, { ...args.answer.kept, body, subjectId: call.id });
    }
    return toCreatedCall(call);
  },

  async get(tx, args: { workspace: string; id: string }): Promise<CallRow> {
    return requireCall(tx, args);
  },

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

  /** Moves a call along its life; see {@link moveCall}. Null when there is no such call any more. */
  async move(tx, args: { id: string; move: Move }): Promise<CallRow | null> {
    const call = await lockCall(tx, args.id);
    return call && moveCall(tx, call, args.move);
  },

  async setMetadata(
    tx,
    args: { workspace: string; id: string; metadata: FreeForm; at: number },
  ): Promise<CallRow> {
    const call = await requireCall(tx, args);
    await setColumns(tx, call.id, { metadata: JSON.stringify(args.metadata), updated_at: args.at });
    return { ...call, metadata: args.metadata, updated_at: args.at };
  },

  /**
   * Erases what a call tells about people; the row stays for the books. Returns the recording's file, if there ever was
   * one: erasing once more deletes a file that could not be deleted before.
   */
  async erase(tx, args: { workspace: string; id: string; at: number }): Promise<{ fileName: string | null }> {
    await lockCall(tx, args.id);
    const call = await requireCall(tx, args);
    if (call.ended_at === null) throw new Problem('invalid_state', 'The call has not ended yet.');
    const recording = await tx.get('select file_name from recordings where call_id = ? limit 1', call.id);
    await tx.run(`update recordings set status = 'deleted' where call_id = ?`, call.id);
    await tx.run('delete from transcript_entries where call_id = ?', call.id);
    await tx.run('delete from events where subject_id = ?', call.id);
    await forgetCarrierRecordings(tx, call.id);
    for (const phoneNumber of [call.to_phone, call.from_phone]) {
      await forgetCall(tx, { workspace: call.workspace, phoneNumber, callId: call.id });
    }
    await blankAnswers(tx, call.id, ['to_phone', 'from_phone', 'to_number', 'from_number', 'digits']);
    await tx.run(`update jobs set status = 'done' where call_id = ? and status <> 'done'`, call.id);
    await setColumns(tx, call.id, {
      to_phone: '',
      from_phone: '',
      name: null,
      customer_data: '{}',
      customer_context: '{}',
      metadata: '{}',
      // What was recorded and transcribed is as if it never had been.
      record_call: 0,
      enable_transcription: 0,
      outcome: null,
      summary: null,
      analysis: null,
      updated_at: args.at,
    });
    return { fileName: recording ? String(recording['file_name']) : null };
  },
});
