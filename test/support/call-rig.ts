import { speaking } from '#test/support/call-languages.js';
import { onTestFinished } from 'vitest';
import { createRecordingTokens } from '#access/tokens/recording-token.js';
import { createCallErasure } from '#batches/erasure.js';
import type { CallServiceParts } from '#calls/call-service-parts.js';
import { CallService } from '#calls/call-service.js';
import { createLinks } from '#calls/call-links.js';
import { callRequest } from '#calls/requests/call-request.js';
import { callTransactions } from '#calls/call-store.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import type { CallRow } from '#calls/record/call.js';
import type { LiveCall, StreamOpening } from '#calls/live/sessions/live-call.js';
import { loadResampling } from '#media/samples/resampler.js';
import { EVENT_TYPES, type EventType } from '#events/event-types.js';
import { createIds } from '#kernel/ids/ids.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { Counters } from '#metrics/counters.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { createCallBacks } from '#schedules/call-backs/call-backs.js';
import { StoreMeter } from '#store/store-meter.js';
import type { AgentBrief } from '#dialogue/dialogue-manager.js';
import { CarrierPool } from '#telephony/carrier-pool.js';
import { lookTransactions } from './call-look-transactions.js';
import { FakeClock, settle } from './fake-clock.js';
import { LENIENT_RULES } from './lenient-rules.js';
import { createMemoryLog } from './memory-log.js';
import { PRINCIPAL } from './principal.js';
import { ScriptedCarrier } from './scripted-carrier.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { BUILT_IN_ONLY } from './known-providers.js';
import { TRUSTED } from './trusted-clock.js';
import { dialogueOf } from './dialogue-of.js';
import { createScriptedStt } from './scripted-stt.js';
import { createScriptedTts } from './scripted-tts.js';
import { ScriptedConversation } from './scripted-conversation.js';
import { openTestStore } from './store.js';
import { temporaryFolder } from './temporary-folder.js';
import { SwitchedStore } from './switched-store.js';

/** A recorder that discards everything. */
const noRecorder = {
  write() {},
  insertLate() {},
  stalled() {},
  gaps: [],
  retract() {},
  positionMs: 0,
  savedBytes: 0,
  failure: null,
  close: async () => ({ sizeBytes: 44, durationMs: 1_000 }),
};

const resampling = await loadResampling();

/** The calls module on a real database; the test controls time, carrier and conversations. */
export class CallRig {
  readonly clock = new FakeClock();
  clockTrust: ClockTrust = TRUSTED;
  readonly carrier = new ScriptedCarrier();
  /** The carriers of processes built from now on; the first is for outbound calls. */
  carriers: readonly [ScriptedCarrier, ...ScriptedCarrier[]] = [this.carrier];
  readonly conversations: ScriptedConversation[] = [];
  /** The opened streams. */
  readonly streams: LiveCall[] = [];
  /** The briefs of the agents. */
  readonly briefs: AgentBrief[] = [];
  readonly closed: { code: number; reason: string }[] = [];
  /** Of the folder that a process has which is built from now on. */
  folderId = 'folder_1';
  recordingsDir = temporaryFolder();
  mostWaitingBytes: number | null = null;
  readonly log = createMemoryLog();
  readonly ids = createIds(this.clock);
  analysis: () => Promise<unknown> = async () => ANALYSIS;
  /** What records the calls of processes. */
  record: CallServiceParts['record'] = () => noRecorder;
  /** Where each recorded talk puts its sound. */
  readonly recorders: (TwoTrackRecorder | null)[] = [];
  objectStorage: CallServiceParts['objectStorage'] = null;
  repaired: CallServiceParts['repair'] = async () => ({
    sizeBytes: 64_044,
    durationMs: 2_000,
  });
  /** The calling rules; a test may change them before or between dials. */
  readonly rules: { -readonly [Name in keyof PolicyRules]: PolicyRules[Name] } = { ...LENIENT_RULES };
  /** The configured providers; a test may change them between calls. */
  readonly providers: { -readonly [Name in keyof KnownProviders]: KnownProviders[Name] } = {
    ...BUILT_IN_ONLY,
  };
  /** The receiver's answer to the lookup about an inbound call. */
  askReceiver: CallServiceParts['askReceiver'] = async () => ({ body: null });
  readonly store: SwitchedStore;
  readonly callService: CallService;

  /** The counters of the store. */
  readonly counters: Counters;

  private constructor(store: SwitchedStore, counters: Counters, ...size: Parameters<CallRig['build']>) {
    this.store = store;
    this.counters = counters;
    this.callService = this.build(...size);
  }

  static async open(
    options: { maxConcurrentCalls?: number; reservedForInbound?: number; databaseUrl?: string } = {},
  ): Promise<CallRig> {
    const meter = new StoreMeter();
    const store = new SwitchedStore(await openTestStore({ meter, ...options }));
    return new CallRig(store, meter.counters, options.maxConcurrentCalls, options.reservedForInbound);
  }

  /** {@link open} with the module started. */
  static async started(options: Parameters<typeof CallRig.open>[0] = {}): Promise<CallRig> {
    const rig = await CallRig.open(options);
    await rig.callService.start();
    return rig;
  }

  /** The module once more, as in another process. */
  build(maxConcurrentCalls = 50, reservedForInbound = 0): CallService {
    const { clock, ids, store } = this;
    const tokens = createRecordingTokens({ secret: Buffer.alloc(32), clock });
    const callService = new CallService({
      clock,
      clockTrust: this.clockTrust,
      ids,
      store,
      log: this.log.log,
      counters: this.counters,
      analyst: {
        name: 'scripted',
        analyse: () => this.analysis() as Promise<typeof ANALYSIS>,
        close: async () => {},
      },
      links: createLinks({ publicUrl: () => 'http://service', ttlSeconds: 60 }, { clock, tokens }),
      openCarriers: (host) => {
        const { carriers } = this;
        for (const carrier of carriers) carrier.host = host;
        return new CarrierPool(carriers, { outbound: carriers[0].name });
      },
      record: (options) => this.record(options),
      repair: (path) => this.repaired(path),
      providers: this.providers,
      resolveAgent: ({ brief }) => {
        this.briefs.push(brief);
        return {
          dialogue: dialogueOf({}),
          stt: createScriptedStt(),
          tts: createScriptedTts(),
          voice: null,
          language: speaking('en-US'),
        };
      },
      converse: (options, recorder) => {
        this.recorders.push(recorder);
        const conversation = new ScriptedConversation(options, clock);
        this.conversations.push(conversation);
        return conversation;
      },
      resampling,
      node: { id: ids.next('node'), address: () => 'test', folderId: this.folderId },
      rules: this.rules,
      erasure: createCallErasure(store),
      callBacks: createCallBacks({ store, ids }, { timeZoneVersion: 'test' }),
      askReceiver: (question) => this.askReceiver(question),
      objectStorage: this.objectStorage,
      settings: {
        recordingsDir: this.recordingsDir,
        recordStorage: 'local',
        mostWaitingBytes: this.mostWaitingBytes,
        maxConcurrentCalls,
        reservedForInbound,
        refusesForbiddenNumbers: false,
        callsPerSecond: null,
        dialDeadlineMs: 30_000,
        defaultFromNumber: '+15550000000',
        defaultTimezone: 'UTC',
        planningHorizonDays: 3_653,
        workspace: 'default',
        streamUrl: () => 'ws://service/ws/stream',
      },
    });
    onTestFinished(() => this.stop(callService));
    return callService;
  }

  /** Creates a call like a request. */
  create(options: Record<string, unknown> = {}): ReturnType<CallService['calls']['create']> {
    const asked = { agent_id: 'unused', to_phone: '+14155550123', ...options };
    const { agent_id: _agent, to_phone: to, from_phone: from = null, ...rest } = callRequest().parse(asked);
    return this.callService.calls.create(
      { principal: PRINCIPAL, agentId: null, to, from, name: null, options: rest },
      null,
    );
  }

  call(id: string): Promise<CallRow> {
    return this.store.read(callTransactions.get, { workspace: 'default', id });
  }

  /** Events of a call's life cycle. Events of the after-call work are left out: they may come at any time. */
  async eventTypes(callId: string): Promise<string[]> {
    return (await this.allEventTypes(callId)).filter(
      (type) => EVENT_TYPES[type as EventType].group !== 'data',
    );
  }

  async allEventTypes(callId: string): Promise<string[]> {
    return (await this.store.read(lookTransactions.events, { callId })).map((event) => event.type);
  }

  /** Opens a stream with a token or as a principal, at this process or another. */
  async openStream(right: StreamOpening['right'], { streams } = this.callService): Promise<LiveCall> {
    const stream = await streams.open({
      right,
      agentId: null,
      providerCallId: null,
      line: { sampleRateHz: 8000, send() {}, clear: () => true },
      notify: () => {},
      close: (code, reason) => void this.closed.push({ code, reason }),
    });
    this.streams.push(stream);
    return stream;
  }

  /** A call in progress: created, dialled, answered, stream opened. */
  async talking(options: Record<string, unknown> = {}): Promise<CallRow> {
    const before = this.carrier.placed.length;
    const call = await this.create(options);
    await this.until(() => this.carrier.placed.length > before);
    await this.pickUp();
    return this.call(call.id);
  }

  /** The last dialled callee answers, and the stream is opened at this process or another. */
  async pickUp(callService = this.callService): Promise<LiveCall> {
    const instruction = await this.carrier.answer();
    return this.openStream({ kind: 'token', token: instruction!.parameters['token']! }, callService);
  }

  /** Lets everything run, including a little time, until the condition holds. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (let round = 0; round < 500; round++) {
      if (await condition()) return;
      await this.#breathe();
      await this.clock.advance(20);
    }
    throw new Error('the condition never held');
  }

  /** The result of a promise that needs time to pass, such as the end of a call. */
  async settled<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false;
    const mark = () => (isSettled = true);
    promise.then(mark, mark);
    await this.until(() => isSettled);
    return promise;
  }

  /** Waits until the call is in a state. */
  async reaches(callId: string, status: CallRow['status']): Promise<CallRow> {
    await this.until(async () => (await this.call(callId)).status === status);
    return this.call(callId);
  }

  /** Lets time pass in steps; the database keeps up after every step. */
  async pass(durationMs: number, stepMs = 500): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      await this.clock.advance(Math.min(stepMs, durationMs - passedMs));
      for (let turn = 0; turn < 5; turn++) await this.#breathe();
    }
  }

  /** Waits until both database threads have answered everything asked before. */
  async #breathe(): Promise<void> {
    if (this.store.isAway) return settle();
    await this.store.write(lookTransactions.jobs, { callId: '' });
    await this.store.read(lookTransactions.jobs, { callId: '' });
    await settle();
  }

  async stop(callService = this.callService): Promise<void> {
    let isStopped = false;
    const stopping = callService.stop().finally(() => (isStopped = true));
    while (!isStopped) {
      await this.#breathe().catch(() => undefined);
      await this.clock.advance(20);
    }
    await stopping;
  }
}

export const ANALYSIS = {
  summary: 'They talked.',
  sentiment: 'positive' as const,
  intent: 'confirm',
  actionable_items: [],
  keywords: ['talk'],
  confidence_score: 0.9,
  resolution_achieved: true,
};
