import { join } from 'node:path';
import { hashStreamToken } from '#access/tokens/stream-token.js';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { ResolveAgent } from '#providers/agent-request.js';
import type { Recorder } from '#media/recording/recording.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { costUnits } from '#calls/costs/cost-store.js';
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
import type { Moments } from '#calls/endings/moments.js';
import type { Slots } from '#calls/lines/slots.js';
import { keepOptOut } from '#calls/endings/opt-out.js';
import { StoppingProblem } from './stopping-problem.js';
import { streamUnits, type OpenedStream } from './stream-store.js';
import { talkOf } from './talk-of-call.js';
import { transferCall } from '#calls/live/sessions/transfer.js';

export interface AudioStreamsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  carriers: CarrierPool;
  moments: Moments;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
  feed: LiveFeed;
  suppressionEnforcer: SuppressionEnforcer;
  /** What a transfer goes by. */
  rules: PolicyRules;
  /** IANA zone of callees whose own is not known. */
  defaultTimezone: string;
  nodeId: string;
  recordingsDir: string;
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  providers: KnownProviders;
  resolveAgent: ResolveAgent;
  prices: PriceTable;
  converse(
    options: ConversationOptions<AgentPorts | RealtimePorts>,
    recorder: TwoTrackRecorder,
  ): Conversation;
}

/** Where audio sockets go: finds or makes the call of a stream and sets the talk going. */
export class AudioStreams implements LiveCalls {
  readonly #parts: AudioStreamsParts;
  #draining = false;

  constructor(parts: AudioStreamsParts) {
    this.#parts = parts;
  }

  /** From now on nobody may open a stream of their own. */
  drain(): void {
    this.#draining = true;
  }

  async open(opening: StreamOpening): Promise<LiveCall> {
    // Whoever was dialled before is still talked with: a token says that a phone has rung.
    if (this.#draining && opening.right.kind === 'principal') throw new StoppingProblem();
    const { slots, sessions, endings } = this.#parts;
    await this.#reserve(opening);
    const opened = await this.#begin(opening).catch((error: unknown) => {
      if (opening.right.kind === 'principal') slots.release(opening.right.callId);
      throw error;
    });
    const { call } = opened;
    slots.take(call.id, call.direction);
    this.#logProviders(opened);
    const recorder = this.#recorder(call, opening);
    try {
      const session = this.#session(opened, opening, recorder);
      sessions.add(session);
      return session;
    } catch (error) {
      await recorder?.close();
      const ended = await endings.end(call.id, 'agent_error');
      // The socket need not stay open for it, and it never fails.
      if (ended) void hangUp(ended, this.#parts);
      throw error;
    }
  }

  /** Whoever was dialled has a slot; whoever comes by themselves gets one, or is written down as turned away. */
  async #reserve(opening: StreamOpening): Promise<void> {
    const { right, agentId } = opening;
    if (right.kind !== 'principal') return;
    const { slots, store, moments, ids } = this.#parts;
    if (slots.free('inbound') > 0) return slots.take(right.callId, 'inbound');
    const finish = moments.finish(right.callId, 'no_capacity');
    const call = this.#directCall(right, opening);
    await store.write(streamUnits.turnAway, { call, agentId, newAgentId: ids.next('agent'), finish });
    throw new Problem('unavailable', 'All conversation slots are taken.', { retryAfterSeconds: 5 });
  }

  async #begin(opening: StreamOpening): Promise<OpenedStream> {
    const { store, moments, ids, nodeId, providers } = this.#parts;
    const { right } = opening;
    const facts = {
      nodeId,
      recordingId: ids.next('rec'),
      sampleRateHz: opening.line.sampleRateHz,
      providers,
    };
    if (right.kind === 'principal') {
      return store.write(streamUnits.openDirect, {
        ...facts,
        moment: moments.now(right.callId),
        call: this.#directCall(right, opening),
        agentId: opening.agentId,
        newAgentId: ids.next('agent'),
      });
    }
    const tokenHash = hashStreamToken(right.token);
    const callId = await store.read(streamUnits.callOfToken, { tokenHash });
    if (callId === null) throw new Problem('unauthorized', 'The stream token is not known.');
    return store.write(streamUnits.openByToken, {
      ...facts,
      moment: moments.now(callId),
      tokenHash,
      providerCallId: opening.providerCallId,
    });
  }

  /** Says what talks: the agent may name a provider that is not configured here. */
  #logProviders({ call, providers: { substituted, ...used } }: OpenedStream): void {
    const { log } = this.#parts;
    const facts = { call_id: call.id, agent_id: call.agent_id, ...used };
    if (substituted.length === 0) log.info(facts, 'an agent talks');
    else log.warn({ ...facts, substituted }, 'an agent talks without a provider that it names');
  }

  #directCall(right: StreamRight & { kind: 'principal' }, { caller }: Pick<StreamOpening, 'caller'>) {
    const { nodeId, clock } = this.#parts;
    const { workspace } = right.principal;
    const line = { provider: 'websocket', providerCallId: null, from: caller?.number ?? '', to: '' };
    const variables = caller?.variables ?? {};
    return draftInboundCall(right.callId, { ...line, variables, workspace, nodeId, at: clock.wallMs() });
  }

  #recorder(call: CallRow, { line: { sampleRateHz } }: StreamOpening): Recorder | null {
    if (!call.record_call) return null;
    return this.#parts.record({ path: join(this.#parts.recordingsDir, `${call.id}.wav`), sampleRateHz });
  }

  #session(
    { call, agent, providers }: OpenedStream,
    opening: StreamOpening,
    recorder: Recorder | null,
  ): LiveSession {
    const { store, clock, log, feed, endings, carriers, defaultTimezone } = this.#parts;
    const timeZone = calleeZone(call, { usual: defaultTimezone, at: clock.wallMs() });
    const tap = new AudioTap(recorder);
    const { request, ...talk } = talkOf(call, agent, { timeZone, providers, at: clock.wallMs() });
    return new LiveSession(call, opening, {
      store,
      clock,
      log,
      feed,
      endings,
      recorder,
      tap,
      settleCosts: (endedAt) =>
        store.write(costUnits.settle, { callId: call.id, endedAt, prices: this.#parts.prices }),
      optOut: (ending) => keepOptOut(ending, this.#parts),
      hangUp: (ended) => hangUp(ended, { carriers, clock, log }),
      transfer: (live, to) => transferCall(live, to, this.#parts),
      converse: (observer, { transfer, dialogueObserver }) => {
        const resolved = this.#parts.resolveAgent({ ...request, observer: dialogueObserver });
        return this.#parts.converse(
          { ...talk, agent: resolved, line: opening.line, observer, transfer },
          tap,
        );
      },
    });
  }
}
