import type { ModuleContext } from '#store/module-context.js';
import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecordedFile, Recorder } from '#media/recording/recording.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { ResolveAgent } from '#providers/agent-request.js';
import type { Analyst } from '#analysis/analysis.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { RemoteCarrierHost } from '#telephony/port/remote-host.js';
import type { PriceTable } from './costs/prices.js';
import type { Links } from './call-links.js';
import type { CallErasure } from '#calls/erasure/erase-call.js';
import type { CallBacks } from '#calls/endings/call-backs.js';
import type { ThisNode } from '#calls/watch/node-store.js';
import type { AskReceiver } from '#calls/inbound/inbound-lookup.js';

/**
 * The dependencies and settings of the calls module (`CallService`), which the composition root (`src/app`) provides.
 */
export interface CallServiceParts extends Pick<
  ModuleContext,
  'store' | 'clock' | 'clockTrust' | 'ids' | 'log' | 'counters'
> {
  /** Summarises and analyses the talk of an ended call. */
  analyst: Analyst;
  links: Links;
  /** Opens the configured carriers, which send their reports to `host`. */
  openCarriers(host: RemoteCarrierHost): CarrierPool;
  /** Begins to record a call into a new file. */
  record(options: { path: string; sampleRateHz: SampleRateHz }): Recorder;
  /** Completes a recording's file; repairs a file that a crash left open. */
  repair(path: string): Promise<RecordedFile>;
  providers: KnownProviders;
  /** Creates the speech and dialogue parts of an agent for one call. */
  resolveAgent: ResolveAgent;
  /** The operator's prices; without them, the costs of calls are not known. */
  prices?: PriceTable;
  /** Starts the conversation of a call whose audio has begun. */
  converse(
    options: ConversationOptions<AgentPorts | RealtimePorts>,
    recorder: TwoTrackRecorder,
  ): Conversation;
  /** Converts audio between joined lines of different sample rates. */
  resampling: Resampling;
  /** This process, and its internal address once it listens. */
  node: ThisNode;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  callBacks: CallBacks;
  erasure: CallErasure;
  /** Asks the lookup URL of a number or agent about an inbound call. */
  askReceiver: AskReceiver;
  /** The object storage of recordings; null when recordings stay on the disk. */
  objectStorage: ObjectStorage | null;
  settings: {
    recordingsDir: string;
    /** Where recordings are kept, unless the call chooses otherwise. */
    recordStorage: 'local' | 's3';
    /** The limit of bytes on the disk that wait for their upload to object storage; null for no limit. */
    mostWaitingBytes: number | null;
    maxConcurrentCalls: number;
    /** True: a request for a call to a number that the policy does not allow is refused; false: the call is stored. */
    refusesForbiddenNumbers: boolean;
    /** How many of `maxConcurrentCalls` are reserved for inbound calls. */
    reservedForInbound: number;
    /**
     * The limit of calls that this process starts per second. Null: the carrier's own limit, shared by all processes.
     */
    callsPerSecond: number | null;
    /** The deadline of a dial request in milliseconds; see `dialTimings`. */
    dialDeadlineMs: number;
    defaultFromNumber: string;
    defaultTimezone: string;
    /** How many days ahead a call may be scheduled. */
    planningHorizonDays: number;
    /** The workspace of inbound calls to numbers that are not registered. */
    workspace: string;
    /** The base URL at which a carrier opens its audio sockets; the agent's id is appended. */
    streamUrl: (provider: string) => string;
  };
}
