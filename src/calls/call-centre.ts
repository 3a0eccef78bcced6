import { Loop } from '../kernel/loop.js';
import type { Clock } from '../kernel/clock.js';
import type { Ids } from '../kernel/ids.js';
import type { Log } from '../kernel/log.js';
import type { Conversation, ConversationOptions } from '../conversation/conversation.js';
import type { SampleRateHz } from '../media/audio.js';
import type { RecordedFile, Recorder } from '../media/recording.js';
import type { Analyst } from '../speech/analysis/analysis.js';
import type { Store } from '../store/store.js';
import type { Carrier, CarrierHost } from '../telephony/carrier.js';
import { AfterCall } from './after-call.js';
import { CallEndings } from './call-endings.js';
import type { Links } from './call-links.js';
import { Calls } from './calls.js';
import { CallViews } from './call-views.js';
import { CarrierDesk } from './carrier-desk.js';
import { Dialler } from './dialler.js';
import { LiveFeed } from './live-feed.js';
import { LiveSessions } from './live-sessions.js';
import { createMoments } from './moments.js';
import { NodeKeeper } from './node-keeper.js';
import { Reconciler } from './reconciler.js';
import { Recordings } from './recordings.js';
import { Slots } from './slots.js';
import { StreamDesk } from './stream-desk.js';
import { instructStream } from './stream-instruction.js';
import { Watchdog } from './watchdog.js';

export interface CallCentreParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  analyst: Analyst;
  links: Links;
  openCarrier(host: CarrierHost): Carrier;
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  repair(path: string): Promise<RecordedFile>;
  converse(options: ConversationOptions, recorder: Recorder | null): Conversation;
  node: { id: string; address: string };
  settings: {
    recordingsDir: string;
    maxConcurrentCalls: number;
    defaultFromNumber: string;
    defaultTimezone: string;
    /** Where the carrier shall open audio sockets; the agent's id follows. */
    streamUrl: () => string;
  };
}

/** Everything about calls, put together and set going. */
export class CallCentre {
  readonly calls: Calls;
  readonly views: CallViews;
  readonly recordings: Recordings;
  readonly streams: StreamDesk;
  readonly feed = new LiveFeed();
  readonly sessions = new LiveSessions();
  readonly #clock: Clock;
  readonly #carrier: Carrier;
  readonly #loops: { dialler: Loop<unknown>; reconciler: Loop<unknown>; afterCall: Loop<unknown> };
  readonly #watchdog: Watchdog;
  readonly #keeper: NodeKeeper;

  constructor(parts: CallCentreParts) {
    const { store, clock, ids, log, links, settings } = parts;
    const { recordingsDir } = settings;
    const nodeId = parts.node.id;
    const feed = this.feed;
    const sessions = this.sessions;
    this.#clock = clock;

    const slots = new Slots(settings.maxConcurrentCalls);
    const moments = createMoments({ clock, ids, links: (callId) => links.of(callId) });
    const afterCall = new AfterCall({ ...parts, links: (callId) => links.of(callId), recordingsDir });
    const afterCallLoop = new Loop(afterCall, { clock, log });
    afterCall.onMore(() => afterCallLoop.nudge());
    const endings = new CallEndings({ store, clock, moments, slots, onEnd: () => afterCallLoop.nudge() });
    const desk = new CarrierDesk({
      store,
      clock,
      log,
      moments,
      sessions,
      endings,
      streamFor: (call) => instructStream(call, { store, clock, ids, streamUrl: settings.streamUrl() }),
    });
    const carrier = parts.openCarrier(desk);
    this.#carrier = carrier;

    const dialling = { store, clock, log, carrier, moments, slots, nodeId };
    const dialler = new Loop(new Dialler(dialling), { clock, log });
    slots.onFree(() => dialler.nudge());
    const report: CarrierHost['report'] = (told) => desk.report(told);
    const reconciler = new Loop(new Reconciler({ ...dialling, report }), { clock, log });
    this.#loops = { dialler, reconciler, afterCall: afterCallLoop };
    this.#watchdog = new Watchdog({ store, clock, log, carrier, sessions, endings, nodeId });
    this.#keeper = new NodeKeeper({
      ...{ store, clock, log, carrier, host: desk, endings, node: parts.node, recordingsDir },
      repair: (path) => parts.repair(path),
      nudgeReconciler: () => reconciler.nudge(),
    });

    const nudgeDialler = (dueAt: number) => dialler.nudge(dueAt);
    this.calls = new Calls({
      store,
      clock,
      ids,
      carrier,
      moments,
      sessions,
      endings,
      nudgeDialler,
      settings,
    });
    this.views = new CallViews({ store, clock, links: (callId) => links.of(callId) });
    this.recordings = new Recordings({ store, recordingsDir });
    this.streams = new StreamDesk({
      ...{ store, clock, ids, log, carrier, moments, slots, sessions, endings, feed, nodeId, recordingsDir },
      record: (options) => parts.record(options),
      converse: (options, recorder) => parts.converse(options, recorder),
    });
  }

  /** Recovers what an earlier process left, then begins to dial. */
  async start(): Promise<void> {
    await this.#keeper.start();
    this.#watchdog.start();
    for (const loop of Object.values(this.#loops)) loop.start();
  }

  /** Begins nothing new; resolves when no call is live any more, at the latest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.streams.drain();
    await Promise.all([this.#loops.dialler.stop(), this.#loops.reconciler.stop()]);
    let cancelTimer = () => {};
    const timeUp = new Promise<void>((resolve) => {
      cancelTimer = this.#clock.after(timeoutMs, resolve);
    });
    await Promise.race([this.sessions.idle(), timeUp]);
    cancelTimer();
  }

  /** Ends what is still live and stops everything. Harmless twice. */
  async stop(): Promise<void> {
    await this.drain(0);
    await this.sessions.endAll('server_shutdown');
    await this.#watchdog.stop();
    await this.#loops.afterCall.stop();
    await this.#carrier.close();
    await this.#keeper.stop();
  }
}
