import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import type { Principal } from '#access/keys/principal.js';
import { hashStreamToken } from '#access/tokens/stream-token.js';
import { AgentTrials } from '#agents/definitions/agent-trials.js';
import { Problem } from '#kernel/errors/errors.js';
import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { ResolveAgent, ResolvedAgent } from '#providers/agent-request.js';
import type { StorageBacklog } from '#calls/recordings/storage-backlog.js';
import { recordingFileOf } from '#calls/recordings/recording.js';
import type { PartUploads } from '#calls/recordings/part-uploads.js';
import type { Recorder } from '#media/recording/recording.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { costTransactions } from '#calls/costs/cost-store.js';
import type { PriceTable } from '#calls/costs/prices.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { SuppressionEnforcer } from '#calls/endings/suppression-enforcer.js';
import { calleeZone } from './callee-zone.js';
import type { CallRow } from '#calls/record/call.js';
import { draftInboundCall } from '#calls/requests/draft-inbound-call.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { LiveCall, LiveCalls, StreamOpening, StreamRight } from '#calls/live/sessions/live-call.js';
import { AudioTap } from '#calls/live/sessions/audio-tap.js';
import type { LiveFeed } from '#calls/live/sessions/live-feed.js';
import { LiveSession } from '#calls/live/sessions/live-session.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';
import { storeOptOut } from '#calls/endings/opt-out.js';
import { CarriedElsewhere } from './carried-elsewhere.js';
import { StoppingProblem } from './stopping-problem.js';
import { streamTransactions, type DirectAgent, type OpenedStream } from './stream-store.js';
import { conversationSettingsOf } from './talk-of-call.js';
import { transferCall } from '#calls/live/sessions/transfer.js';
import { offerRequest, OfferDialogue } from '#calls/live/transfers/offer-dialogue.js';
import type { WarmTransfers } from '#calls/live/transfers/warm-transfers.js';

/** The dependencies of {@link AudioStreams}. */
export interface AudioStreamsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  carriers: CarrierPool;
  txContexts: TxContexts;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
  feed: LiveFeed;
  trials: AgentTrials;
  suppressionEnforcer: SuppressionEnforcer;
  transfers: WarmTransfers;
  /** The rules of the calling policy, for transfers. */
  rules: PolicyRules;
  /** The IANA zone for callees whose own zone is unknown. */
  defaultTimezone: string;
  /** The id of this process. */
  nodeId: string;
  recordingsDir: string;
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** Null without object storage. */
  partUploads: PartUploads | null;
  storageBacklog: Pick<StorageBacklog, 'fullSince'>;
  recordStorage: 'local' | 's3';
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  providers: KnownProviders;
  resolveAgent: ResolveAgent;
  prices: PriceTable;
  converse(
    options: ConversationOptions<AgentPorts | RealtimePorts>,
    recorder: TwoTrackRecorder,
  ): Conversation;
}

/**
 * Binds an audio socket to its call: finds or creates the call, starts recording and conversation, and returns the live
 * session. The sockets of carriers and clients use it as {@link LiveCalls}.
 */
export class AudioStreams implements LiveCalls {
  readonly #parts: AudioStreamsParts;
  #draining = false;

  constructor(parts: AudioStreamsParts) {
    this.#parts = parts;
  }

  /** Refuses new streams of clients from now on, for a shutdown. */
  drain(): void {
    this.#draining = true;
  }

  /** Binds a stream to its call and starts the conversation; see {@link LiveCalls}. */
  async open(opening: StreamOpening): Promise<LiveCall> {
    // A stream with a token still opens: its call was dialled or announced before.
    if (this.#draining && opening.right.kind === 'principal') throw new StoppingProblem();
    const { slots, sessions, endings } = this.#parts;
    await this.#reserve(opening);
    const opened = await this.#begin(opening).catch((error: unknown) => {
      if (opening.right.kind === 'principal') slots.release(opening.right.callId);
      throw error;
    });
    const { call } = opened;
    // No effect if the call has a slot already.
    slots.take(call.id, call.direction);
    this.#logProviders(opened);
    const offer = call.parent_call_id === null ? null : await this.#offerFor(call);
    const { recorder, stopUploads } = this.#beginRecording(call, opening);
    try {
      const session = this.#createSession(opened, opening, { recorder, offer });
      sessions.add(session);
      void session.finished.finally(stopUploads);
      return session;
    } catch (error) {
      stopUploads();
      await recorder?.close();
      const ended = await endings.end(call.id, 'agent_error');
      // Not awaited: `hangUp` never fails, and the socket can close meanwhile.
      if (ended) void hangUp(ended, this.#parts);
      throw error;
    }
  }

  /**
   * The offer to the person of a warm transfer, who has picked up. If no caller in this process waits for the person,
   * the person's call is ended and hung up.
   * @throws Problem `invalid_state`
   */
  async #offerFor(call: CallRow): Promise<{ briefing: string | null }> {
    const offer = await this.#parts.transfers.pickedUp(call.id);
    if (offer) return offer;
    await this.#endWithoutCaller(call.id);
    throw new Problem('invalid_state', 'The caller is gone.');
  }

  /** Ends and hangs up the call to the person of a warm transfer whose caller is gone. */
  async #endWithoutCaller(callId: string): Promise<void> {
    const ended = await this.#parts.endings.end(callId, 'other_leg_ended');
    if (ended) void hangUp(ended, this.#parts);
  }

  /**
   * Takes a slot for a client's own stream; without a free slot, stores its call as ended and refuses the stream. A
   * call with a token has a slot already.
   * @throws Problem `unavailable`
   */
  async #reserve(opening: StreamOpening): Promise<void> {
    const { right, agentId } = opening;
    if (right.kind !== 'principal') return;
    const { slots, store, txContexts } = this.#parts;
    if (slots.free('inbound') > 0) return slots.take(right.callId, 'inbound');
    const finish = txContexts.finish(right.callId, 'no_capacity');
    const call = this.#directCall(right, opening);
    const agent = this.#namedAgent(agentId, right.principal);
    await store.write(streamTransactions.turnAway, { call, agent, finish });
    throw new Problem('unavailable', 'All conversation slots are taken.', { retryAfterSeconds: 5 });
  }

  /**
   * Stores that the audio of a call begins: a client's own stream is a new call, a stream with a token belongs to the
   * call of the token.
   * @throws Problem as {@link LiveCalls.open}; CarriedElsewhere
   */
  async #begin(opening: StreamOpening): Promise<OpenedStream> {
    const { store, txContexts, ids, nodeId, folderId, providers } = this.#parts;
    const { right } = opening;
    const facts = {
      nodeId,
      folderId,
      isStorageFull: this.#parts.storageBacklog.fullSince !== null,
      recordingId: ids.next('rec'),
      sampleRateHz: opening.line.sampleRateHz,
      providers,
    };
    if (right.kind === 'principal') {
      return store.write(streamTransactions.openDirect, {
        ...facts,
        context: txContexts.now(right.callId),
        call: this.#directCall(right, opening),
        agent: this.#namedAgent(opening.agentId, right.principal),
      });
    }
    const tokenHash = hashStreamToken(right.token);
    const call = await store.read(streamTransactions.callOfToken, { tokenHash, nodeId });
    if (call === null) throw new Problem('unauthorized', 'The stream token is not known.');
    if (call.carriedAt !== null)
      throw new CarriedElsewhere(call.carriedAt, () => this.#endWithoutCaller(call.id));
    return store.write(streamTransactions.openByToken, {
      ...facts,
      context: txContexts.now(call.id),
      tokenHash,
      providerCallId: opening.providerCallId,
    });
  }

  /** Logs the providers of the talk: the agent may name one that is not configured here. */
  #logProviders({ call, providers: { substituted, ...used } }: OpenedStream): void {
    const { log } = this.#parts;
    const facts = { call_id: call.id, agent_id: call.agent_id, ...used };
    if (substituted.length === 0) log.info(facts, 'an agent talks');
    else log.warn({ ...facts, substituted }, 'an agent talks without a provider that it names');
  }

  /**
   * The agent for a client's stream: the one that the stream names, or the unsaved agent of a trial. Without a name
   * (null), the transaction takes the default agent.
   * @throws Problem `agent_not_found` for a trial that is over
   */
  #namedAgent(id: string | null, { workspace }: Principal): DirectAgent {
    if (id === null || !AgentTrials.isTrial(id)) return { id };
    const unsaved = this.#parts.trials.find(workspace, id);
    if (!unsaved) throw new Problem('agent_not_found', 'This trial is over: ask for another one.');
    return { unsaved };
  }

  /** The draft of the call for a client's own stream. */
  #directCall(right: StreamRight & { kind: 'principal' }, { caller }: Pick<StreamOpening, 'caller'>) {
    const { nodeId, clock, recordStorage } = this.#parts;
    const { workspace } = right.principal;
    const line = { provider: 'websocket', providerCallId: null, from: caller?.number ?? '', to: '' };
    const variables = caller?.variables ?? {};
    const at = clock.wallMs();
    return draftInboundCall(right.callId, { ...line, variables, workspace, nodeId, recordStorage, at });
  }

  /**
   * Begins to record a call, if it is to be recorded; a recording for object storage is uploaded in parts as it grows.
   */
  #beginRecording(
    call: CallRow,
    { line: { sampleRateHz } }: StreamOpening,
  ): { recorder: Recorder | null; stopUploads: () => void } {
    const { recordingsDir, partUploads } = this.#parts;
    if (!call.record_call) return { recorder: null, stopUploads: () => {} };
    const fileName = recordingFileOf(call.id);
    const path = join(recordingsDir, fileName);
    const recorder = this.#parts.record({ path, sampleRateHz });
    const isInParts = partUploads !== null && call.record_storage === 's3';
    const growingRecording = { callId: call.id, fileName, path, recorder };
    return { recorder, stopUploads: isInParts ? partUploads.begin(growingRecording) : () => {} };
  }

  /** Creates the session of a call with its recorder and conversation. `offer`: for the person of a warm transfer. */
  #createSession(
    { call, agent, providers }: OpenedStream,
    opening: StreamOpening,
    { recorder, offer }: { recorder: Recorder | null; offer: { briefing: string | null } | null },
  ): LiveSession {
    const { store, clock, log, feed, endings, carriers, defaultTimezone, transfers } = this.#parts;
    const timeZone = calleeZone(call, { usual: defaultTimezone, at: clock.wallMs() });
    const tap = new AudioTap(recorder);
    const { request, ...talk } = conversationSettingsOf(call, agent, {
      timeZone,
      providers,
      at: clock.wallMs(),
    });
    const session: LiveSession = new LiveSession(call, opening, {
      store,
      clock,
      log,
      feed,
      endings,
      recorder,
      tap,
      settleCosts: (endedAt) => this.#settleCosts(call, endedAt),
      optOut: (ending) => storeOptOut(ending, this.#parts),
      hangUp: (ended) => hangUp(ended, { carriers, clock, log }),
      transfer: (live, to) => transferCall(live, to, this.#parts),
      joining: transfers.joiningOf(call, () => session),
      converse: (observer, { transfer, joining, dialogueObserver }) => {
        const agentRequest = offer ? offerRequest(request, offer.briefing) : request;
        const resolved = this.#parts.resolveAgent({ ...agentRequest, observer: dialogueObserver });
        const agentOfCall = offer ? asOfferAgent(resolved) : resolved;
        // An answering machine cannot take over a caller: the call to the person of a warm transfer leaves no message.
        const { voicemail, ...withoutVoicemail } = talk;
        const conversation = offer || !voicemail ? withoutVoicemail : talk;
        return this.#parts.converse(
          { ...conversation, agent: agentOfCall, line: opening.line, observer, transfer, joining },
          tap,
        );
      },
    });
    return session;
  }

  /** Stores the usage and cost of a talk. */
  #settleCosts({ id: callId, provider }: CallRow, endedAt: number): Promise<void> {
    const { store, prices, carriers } = this.#parts;
    // A carrier that can be asked reports the price of the call later.
    const asksPrice = carriers.find(provider)?.priceOf !== undefined;
    return store.write(costTransactions.settle, { callId, endedAt, prices, asksPrice });
  }
}

/** The agent of a warm transfer's call to a person, with the dialogue that asks whether to take the caller. */
function asOfferAgent(resolved: ResolvedAgent): ResolvedAgent {
  return 'realtime' in resolved ? resolved : { ...resolved, dialogue: new OfferDialogue(resolved.dialogue) };
}
