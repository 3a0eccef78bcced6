import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import type { Clock } from '#kernel/time/clock.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { CallFailpoint } from '#calls/record/call-failpoints.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Counters } from '#metrics/counters.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecordedFile, Recorder } from '#media/recording/recording.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { ResolveAgent } from '#providers/agent-request.js';
import type { Analyst } from '#analysis/analysis.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { Store } from '#store/store.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { RemoteCarrierHost } from '#telephony/port/remote-host.js';
import type { PriceTable } from './costs/prices.js';
import type { Links } from './call-links.js';
import type { CallErasure } from '#calls/erasure/erase-call.js';
import type { CallBacks } from '#calls/endings/call-backs.js';
import type { AskReceiver } from '#calls/inbound/inbound-lookup.js';

/** What the calls module is given: the modules below it, and how the service is set up. */
export interface CallServiceParts {
  store: Store;
  clock: Clock;
  clockTrust: ClockTrust;
  ids: Ids;
  log: Log;
  counters: Counters;
  analyst: Analyst;
  links: Links;
  openCarriers(host: RemoteCarrierHost): CarrierPool;
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  repair(path: string): Promise<RecordedFile>;
  providers: KnownProviders;
  resolveAgent: ResolveAgent;
  /** Of the operator; none where there are none. */
  prices?: PriceTable;
  converse(
    options: ConversationOptions<AgentPorts | RealtimePorts>,
    recorder: TwoTrackRecorder,
  ): Conversation;
  /** For lines of two rates that are joined. */
  resampling: Resampling;
  /** This process, and where others reach it once it listens. */
  node: { id: string; address(): string };
  /** What the calling policy goes by. */
  rules: PolicyRules;
  callBacks: CallBacks;
  erasure: CallErasure;
  /** Whom numbers and agents name for calls that come in. */
  askReceiver: AskReceiver;
  /** Of recordings; null where they are on the disk only. */
  objectStorage: ObjectStorage | null;
  failpoint?: CallFailpoint | undefined;
  settings: {
    recordingsDir: string;
    /** Where recordings are kept whose call says nothing else. */
    recordStorage: 'local' | 's3';
    maxConcurrentCalls: number;
    refusesForbiddenNumbers: boolean;
    /** How many of them outbound calls never take. */
    reservedForInbound: number;
    /** Null: as fast as the carrier says it may be. */
    callsPerSecond: number | null;
    /** See {@link dialTimings}. */
    dialDeadlineMs: number;
    defaultFromNumber: string;
    defaultTimezone: string;
    planningHorizonDays: number;
    /** Where calls belong that come in for numbers that nobody registered. */
    workspace: string;
    /** Where a carrier shall open audio sockets; the agent's id follows. */
    streamUrl: (provider: string) => string;
  };
}
