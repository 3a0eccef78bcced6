import type { Clock } from '../kernel/clock.js';
import type { Failpoint } from '../kernel/failpoint.js';
import type { Ids } from '../kernel/ids.js';
import type { Log } from '../kernel/log.js';
import type { Tallies } from '../kernel/tallies.js';
import type { Conversation, ConversationOptions } from '../conversation/conversation.js';
import type { SampleRateHz } from '../media/audio.js';
import type { RecordedFile, Recorder } from '../media/recording.js';
import type { Analyst } from '../speech/analysis/analysis.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { Store } from '../store/store.js';
import type { CarrierPool } from '../telephony/carrier-pool.js';
import type { RemoteCarrierHost } from '../telephony/remote-host.js';
import { AfterCall } from './after-call/after-call.js';
import { backlogUnits, type CallsBacklog } from './backlog-store.js';
import type { CallBacks } from './endings/call-backs.js';
import { CallEndings } from './endings/call-endings.js';
import { CallEngine } from './call-engine.js';
import type { Links } from './call-links.js';
import { CallOff } from './endings/call-off.js';
import { Calls } from './calls.js';
import { hasOwner, type CallRow } from './record/call.js';
import { CallViews } from './call-views.js';
import { CarrierDesk } from './reports/carrier-desk.js';
import { dialTimings } from './dialling/dial-timings.js';
import { hangUp } from './lines/hang-up.js';
import { InboundDesk } from './inbound/inbound-desk.js';
import type { AskReceiver } from './inbound/inbound-lookup.js';
import { LiveFeed } from './live/live-feed.js';
import { LiveSessions } from './live/live-sessions.js';
import { createMoments, type Moments } from './endings/moments.js';
import { OwnLines } from './lines/own-lines.js';
import { Recordings } from './recordings/recordings.js';
import { Slots } from './lines/slots.js';
import { StreamDesk } from './live/stream-desk.js';
import { instructStream } from './live/stream-instruction.js';

export interface CallCentreParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  tallies: Tallies;
  analyst: Analyst;
  links: Links;
  openCarriers(host: RemoteCarrierHost): CarrierPool;
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  repair(path: string): Promise<RecordedFile>;
  converse(options: ConversationOptions, recorder: Recorder | null): Conversation;
  node: { id: string; address: string };
  /** What the calling policy goes by. */
  rules: PolicyRules;
  callBacks: CallBacks;
  /** Whom numbers and agents name for calls that come in. */
  askReceiver: AskReceiver;
  failpoint?: Failpoint | undefined;
  settings: {
    recordingsDir: string;
    maxConcurrentCalls: number;
    /** How many of them outbound calls never take. */
    reservedForInbound: number;
    /** Null: as fast as the carrier says it may be. */
    callsPerSecond: number | null;
    /** See {@link dialTimings}. */
    dialDeadlineMs: number;
    defaultFromNumber: string;
    defaultTimezone: string;
    /** Where calls belong that come in for numbers that nobody registered. */
    workspace: string;
    /** Where a carrier shall open audio sockets; the agent's id follows. */
    streamUrl: (provider: string) => string;
  };
}

/** Everything about calls, put together: what can be asked of it, and the engine that moves them. */
export class CallCentre {
  readonly calls: Calls;
  readonly views: CallViews;
  readonly recordings: Recordings;
  readonly streams: StreamDesk;
  readonly callOff: CallOff;
  readonly carriers: CarrierPool;
  /** Whom carriers tell. */
  readonly carrierHost: RemoteCarrierHost;
  readonly feed = new LiveFeed();
  readonly sessions = new LiveSessions();
  /** Instants, ids and links for units of other rooms that make or end calls. */
  readonly moments: Moments;
  readonly #parts: { store: Store; clock: Clock; nodeId: string };
  readonly #slots: Slots;
  readonly #engine: CallEngine;
  readonly #endings: CallEndings;
  readonly #inbound: InboundDesk;
  readonly #onOwnedEnd: ((call: CallRow) => void)[] = [];

  constructor(parts: CallCentreParts) {
    const { store, clock, ids, log, links, settings } = parts;
    const { feed, sessions } = this;
    const { recordingsDir } = settings;

    const linksOf = (callId: string) => links.of(callId);
    const slots = new Slots({ ...settings, capacity: settings.maxConcurrentCalls });
    this.#slots = slots;
    this.moments = createMoments({ clock, ids, links: linksOf });
    const { moments } = this;
    const onEnd = (call: CallRow) => {
      this.#engine.nudgeAfterCall();
      if (hasOwner(call)) for (const listener of this.#onOwnedEnd) listener(call);
    };
    const { callBacks } = parts;
    const endings = new CallEndings({ store, clock, moments, slots, callBacks, onEnd });
    this.#endings = endings;
    const streamFor = (call: CallRow) =>
      instructStream(call, { store, clock, ids, streamUrl: settings.streamUrl });
    const { failpoint } = parts;
    const lines = new OwnLines();
    const nodeId = parts.node.id;
    this.#parts = { store, clock, nodeId };
    this.#inbound = new InboundDesk({
      ...{ store, clock, ids, log, moments, slots, endings, nodeId, ...settings },
      ask: (question) => parts.askReceiver(question),
    });
    const host = new CarrierDesk({
      ...{ failpoint, store, clock, log, moments, sessions, endings, lines, streamFor },
      inbound: this.#inbound,
      hangUp: (call) => hangUp(call, { carriers, clock, log }),
    });
    const carriers = parts.openCarriers(host);
    const shared = { store, clock, ids, log, carriers, moments, slots, sessions, endings, recordingsDir };
    this.carriers = carriers;
    this.carrierHost = host;

    const afterCall = new AfterCall({ ...parts, links: linksOf, recordingsDir });
    const repair: CallCentreParts['repair'] = (path) => parts.repair(path);
    this.#engine = new CallEngine({
      ...{ ...shared, host, lines, afterCall, repair, node: parts.node, failpoint, tallies: parts.tallies },
      rules: parts.rules,
      timings: dialTimings(settings.dialDeadlineMs),
      callsPerSecond: settings.callsPerSecond ?? carriers.usual.traits.callsPerSecond,
    });
    const nudgeDialler = (dueAt: number) => this.nudgeDialler(dueAt);
    this.calls = new Calls({ ...shared, rules: parts.rules, failpoint, nudgeDialler, settings });
    this.callOff = new CallOff({ store, moments, endings });
    this.views = new CallViews({ store, clock, links: linksOf });
    this.recordings = new Recordings({ store, recordingsDir });
    this.streams = new StreamDesk({
      ...{ ...shared, feed, callOff: this.callOff, nodeId, rules: parts.rules },
      defaultTimezone: settings.defaultTimezone,
      record: (options) => parts.record(options),
      converse: (options, recorder) => parts.converse(options, recorder),
    });
  }

  /**
   * Who wants to know at once that a call of a batch or a schedule has ended in this process. The row says it too
   * (`unsettled`), for ends that another process wrote, or one that is gone.
   */
  onOwnedEnd(listener: (call: CallRow) => void): void {
    this.#onOwnedEnd.push(listener);
  }

  /** The end of a call was written, by whoever has ended it in a transaction of their own. */
  tellEnd(call: CallRow): void {
    this.#endings.tell(call);
  }

  /** There is something to dial, at an instant (epoch milliseconds); for whoever has put calls into the queue. */
  nudgeDialler(dueAt: number): void {
    this.#engine.nudgeDialler(dueAt);
  }

  /** Recovers what an earlier process left, then begins to dial. */
  start(): Promise<void> {
    return this.#engine.start();
  }

  /** Whether calls that are due get dialled; rejects when they are not. */
  checkDialler(): Promise<void> {
    return this.#engine.check();
  }

  /** What waits to be dialled or worked on, and the calls of this process. */
  backlog(): Promise<CallsBacklog> {
    const { store, clock, nodeId } = this.#parts;
    return store.read(backlogUnits.read, { nodeId, now: clock.wallMs() });
  }

  /** Begins nothing new; resolves when no phone rings and nobody talks any more, at the latest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.streams.drain();
    this.#inbound.drain();
    await this.#engine.stopDialling();
    let cancelTimer = () => {};
    const timeUp = new Promise<void>((resolve) => {
      cancelTimer = this.#parts.clock.after(timeoutMs, resolve);
    });
    await Promise.race([this.#slots.idle(), timeUp]);
    cancelTimer();
  }

  /** Ends what is still live and stops everything. Harmless twice. */
  async stop(): Promise<void> {
    await this.drain(0);
    await this.sessions.endAll('server_shutdown');
    await this.#engine.stop();
  }
}
