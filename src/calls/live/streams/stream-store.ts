import { redeemStreamToken } from '#access/tokens/stream-token.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { requireAgent, requireKeptAgent } from '#agents/definitions/agent-rows.js';
import { ensureDefaultAgent } from '#agents/definitions/default-agent.js';
import { Problem } from '#kernel/errors/errors.js';
import { requireProviders } from '#agents/definitions/require-providers.js';
import {
  BUILT_IN,
  chooseProviders,
  type ChosenProviders,
  type KnownProviders,
} from '#providers/choose-providers.js';
import { insertInto } from '#store/statements/insert.js';
import { defineTransactions, ofNone, shareCommits, type Tx } from '#store/transaction.js';
import type { CallRow, NewCall } from '#calls/record/call.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { recordingFileOf } from '#calls/recordings/recording.js';
import { RECORDINGS_REFUSED } from '#calls/recordings/recording-store.js';
import { createCall } from '#calls/record/create-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';

/** What is stored for every opened stream. */
interface StreamFacts {
  context: TxContext;
  nodeId: string;
  /** Of the folder that the recording will be in. */
  folderId: string;
  recordingId: string;
  /** Whether calls whose recordings go to object storage are not recorded: too many wait for it. */
  isStorageFull: boolean;
  sampleRateHz: number;
  providers: KnownProviders;
}

/** A call and its agent. */
interface CallAndAgent {
  call: CallRow;
  agent: AgentRow;
}

/** A call whose audio has begun, and the providers of its talk. */
export interface OpenedStream extends CallAndAgent {
  providers: ChosenProviders;
}

export const streamTransactions = defineTransactions('streams', {
  /**
   * The call that a token was minted for, so that its announcements can be prepared; the token is not used up. A person
   * who is asked whether they take a caller is asked by the process that has the caller's line, where that is another.
   */
  async callOfToken(
    tx,
    args: { tokenHash: string; nodeId: string },
  ): Promise<{ id: string; carriedAt: string | null } | null> {
    const row = await tx.get(
      `select stream_tokens.call_id, nodes.address from stream_tokens
       join calls on calls.id = stream_tokens.call_id
       left join calls parent on parent.id = calls.parent_call_id and parent.ended_at is null
       left join nodes on nodes.id = parent.node_id and nodes.id <> ?
       where token_hash = ?`,
      args.nodeId,
      args.tokenHash,
    );
    return row ? { id: String(row['call_id']), carriedAt: row['address'] as string | null } : null;
  },

  /** Opens a stream with a minted token, which carries the token's call; the token is used up. */
  async openByToken(
    tx,
    args: StreamFacts & { tokenHash: string; providerCallId: string | null },
  ): Promise<OpenedStream> {
    const callId = await redeemStreamToken(tx, { tokenHash: args.tokenHash, at: args.context.at });
    const call = callId === null ? null : await lockCall(tx, callId);
    if (!call || call.ended_reason !== null || call.status === 'active') {
      throw new Problem('unauthorized', 'The stream token is no longer valid.');
    }
    const providerCallId = call.provider_call_id ?? args.providerCallId;
    setColumns(tx, call.id, { provider_call_id: providerCallId });
    const agent = await requireKeptAgent(tx, call.agent_id);
    return beginAudio(tx, { call: { ...call, provider_call_id: providerCallId }, agent }, args);
  },

  /** Opens a client's own stream: the connection is the call. */
  async openDirect(tx, args: StreamFacts & DirectCall): Promise<OpenedStream> {
    const opened = await makeDirectCall(tx, args);
    requireProviders(opened.agent, args.providers);
    return beginAudio(tx, opened, args);
  },

  /** Stores the call of a client's own stream that found no free slot: it is over at once. */
  async turnAway(tx, args: DirectCall & { finish: FinishDetails }): Promise<void> {
    const { call } = await makeDirectCall(tx, { ...args, context: args.finish.context });
    await finishCall(tx, call, args.finish);
  },
});

shareCommits(streamTransactions, { callOfToken: ofNone });

/** A saved agent, null for the default one; or one that is not saved, as it is. */
export type DirectAgent = { id: string | null } | { unsaved: AgentRow };

/** The call of a client's own stream, and its agent. */
interface DirectCall {
  call: NewCall;
  agent: DirectAgent;
}

async function makeDirectCall(tx: Tx, args: DirectCall & { context: TxContext }): Promise<CallAndAgent> {
  const { context } = args;
  const agent = await agentOf(tx, args);
  return { call: await createCall(tx, { call: args.call, agent, context }), agent };
}

async function agentOf(tx: Tx, { agent, call, context }: DirectCall & { context: TxContext }) {
  const { workspace } = call;
  if ('unsaved' in agent) return agent.unsaved;
  if (agent.id) return requireAgent(tx, workspace, agent.id);
  return ensureDefaultAgent(tx, { workspace, at: context.at });
}

async function beginAudio(
  tx: Tx,
  { call: answered, agent }: CallAndAgent,
  facts: StreamFacts,
): Promise<OpenedStream> {
  const providers = chooseProviders(
    {
      ...agent,
      transcription_provider: answered.transcription_provider,
      // Whether a person takes a caller is asked without a model.
      ...(answered.parent_call_id !== null && { ai_provider: BUILT_IN }),
    },
    facts.providers,
  );
  setColumns(tx, answered.id, { node_id: facts.nodeId, providers: JSON.stringify(providers) });
  const isRefused = facts.isStorageFull && answered.record_call && answered.record_storage === 's3';
  const call = isRefused ? await refuseRecording(tx, answered, facts.context.at) : answered;
  if (call.record_call) {
    await insertInto(tx, 'recordings', {
      id: facts.recordingId,
      call_id: call.id,
      workspace: call.workspace,
      status: 'writing',
      storage: 'local',
      folder_id: facts.folderId,
      file_name: recordingFileOf(call.id),
      format: 'wav',
      sample_rate: facts.sampleRateHz,
      channels: 2,
      size_bytes: 0,
      duration_ms: 0,
      created_at: facts.context.at,
    });
  }
  const carried = { ...call, node_id: facts.nodeId, providers };
  const begun = await moveCall(tx, carried, { to: 'active', context: facts.context });
  if (providers.substituted.length === 0) return { call: begun, agent, providers };
  const { substituted } = providers;
  const note = { type: 'providers_substituted', at: facts.context.at, data: { substituted } };
  return { call: noteOnCall(tx, begun, note), agent, providers };
}

/** The call goes on without a recording, and says why. */
async function refuseRecording(tx: Tx, call: CallRow, at: number): Promise<CallRow> {
  setColumns(tx, call.id, { record_call: 0 });
  tx.count({ name: RECORDINGS_REFUSED, labels: {} });
  const note = { type: 'recording_refused', at, data: { reason: 'storage_backlog' } };
  return { ...noteOnCall(tx, call, note), record_call: false };
}
