import { redeemStreamToken } from '#access/tokens/stream-token.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { requireAgent, requireAgentOfCall } from '#agents/definitions/agent-rows.js';
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
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';
import type { CallRow, NewCall } from '#calls/record/call.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { noteOnCall } from '#calls/record/life-cycle-log.js';
import { recordingFileOf } from '#calls/recordings/recording.js';
import { RECORDINGS_REFUSED } from '#calls/recordings/recording-store.js';
import { createCall } from '#calls/record/create-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';

/** The input of every transaction that opens a stream. */
interface StreamFacts {
  context: TxContext;
  /** The id of this process, which carries the call from now on. */
  nodeId: string;
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** The id for the recording, if the call is recorded. */
  recordingId: string;
  /** True: too many recordings wait for object storage, so a call that would be uploaded there is not recorded. */
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

/** The transactions of `AudioStreams`, which find or create the call of an audio stream and begin its audio. */
export const streamTransactions = defineTransactions('streams', {
  /**
   * The call that a token was minted for; the token stays valid. `carriedAt` is the address of another process that
   * must carry the stream: the call of a warm transfer belongs to the process that has the caller's line.
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

  /**
   * Opens a stream with a token: begins the audio of the token's call. The token cannot be used again.
   * @throws Problem `unauthorized` for a token that was used or has expired, or whose call is active, ending or over
   */
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
    const agent = await requireAgentOfCall(tx, call.agent_id);
    return beginAudio(tx, { call: { ...call, provider_call_id: providerCallId }, agent }, args);
  },

  /**
   * Opens a client's own stream, for which a call is created.
   * @throws Problem `agent_not_found`; `provider_not_configured`, if the service refuses agents with a provider that it
   *   lacks
   */
  async openDirect(tx, args: StreamFacts & DirectCall): Promise<OpenedStream> {
    const opened = await makeDirectCall(tx, args);
    requireProviders(opened.agent, args.providers);
    return beginAudio(tx, opened, args);
  },

  /** Stores the call of a client's own stream that finds no free slot, as ended. */
  async turnAway(tx, args: DirectCall & { finish: FinishDetails }): Promise<void> {
    const { call } = await makeDirectCall(tx, { ...args, context: args.finish.context });
    await finishCall(tx, call, args.finish);
  },
});

// A read may share a commit with other transactions, which saves the database work.
shareCommits(streamTransactions, { callOfToken: noSubject });

/** A saved agent by its id, null for the default agent; or the unsaved agent of a trial. */
export type DirectAgent = { id: string | null } | { unsaved: AgentRow };

/** The call of a client's own stream, and its agent. */
interface DirectCall {
  call: NewCall;
  agent: DirectAgent;
}

/** Creates the call of a client's own stream. */
async function makeDirectCall(tx: Tx, args: DirectCall & { context: TxContext }): Promise<CallAndAgent> {
  const { context } = args;
  const agent = await agentOf(tx, args);
  return { call: await createCall(tx, { call: args.call, agent, context }), agent };
}

/** The agent that the stream names, or the default one. @throws Problem `agent_not_found` */
async function agentOf(tx: Tx, { agent, call, context }: DirectCall & { context: TxContext }) {
  const { workspace } = call;
  if ('unsaved' in agent) return agent.unsaved;
  if (agent.id) return requireAgent(tx, workspace, agent.id);
  return ensureDefaultAgent(tx, { workspace, at: context.at });
}

/** Moves a call to `active` with its providers, and creates its recording. */
async function beginAudio(
  tx: Tx,
  { call: waitingCall, agent }: CallAndAgent,
  facts: StreamFacts,
): Promise<OpenedStream> {
  const providers = chooseProviders(
    {
      ...agent,
      transcription_provider: waitingCall.transcription_provider,
      // The dialogue that offers a caller to a person uses no language model.
      ...(waitingCall.parent_call_id !== null && { ai_provider: BUILT_IN }),
    },
    facts.providers,
  );
  setColumns(tx, waitingCall.id, { node_id: facts.nodeId, providers: JSON.stringify(providers) });
  const isRecordingRefused =
    facts.isStorageFull && waitingCall.record_call && waitingCall.record_storage === 's3';
  const call = isRecordingRefused ? await refuseRecording(tx, waitingCall, facts.context.at) : waitingCall;
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
  const note = { type: 'providers_substituted' as const, at: facts.context.at, data: { substituted } };
  return { call: noteOnCall(tx, begun, note), agent, providers };
}

/** Turns the recording of a call off, with a note in its log. */
async function refuseRecording(tx: Tx, call: CallRow, at: number): Promise<CallRow> {
  setColumns(tx, call.id, { record_call: 0 });
  tx.count({ name: RECORDINGS_REFUSED, labels: {} });
  const note = { type: 'recording_refused' as const, at, data: { reason: 'storage_backlog' } };
  return { ...noteOnCall(tx, call, note), record_call: false };
}
