import type { Clock } from '#kernel/time/clock.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { BatchFailpoint } from '#batches/record/batch-failpoints.js';
import type { CallFailpoint } from '#calls/record/call-failpoints.js';
import type { ScheduleFailpoint } from '#schedules/record/schedule-failpoints.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Analyst } from '#analysis/analysis.js';
import type { SendToolRequest } from '#dialogue/tools/tool-http.js';
import type { ResolveModel } from '#providers/model-dialogues.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import type { ConnectSocket } from '#providers/wire/socket.js';
import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { Store } from '#store/store.js';
import type { StoreMeter } from '#store/store-meter.js';
import type { SandboxOptions } from '#telephony/sandbox/sandbox-carrier.js';
import type { Resolve } from '#outbound-http/resolver.js';

/** What a test, or another composition, may put in place of the real thing. */
export interface Replacements {
  clock: Clock;
  ids: Ids;
  log: Log;
  speech: Speech;
  analyst: Analyst;
  sandbox: SandboxOptions;
  /** How the names of webhook receivers are looked up. */
  resolve: Resolve;
  /** The language models that agents may name; without it there are none. */
  resolveModel: ResolveModel;
  /** Providers beside those of the registry. */
  providers: readonly ProviderDefinition[];
  /** How WebSockets to providers are opened. */
  connectSocket: ConnectSocket;
  /** How requests of tools are sent; without it they are refused. */
  sendToolRequest: SendToolRequest;
  /** Told of each place between two steps as it is passed. */
  failpoint: CallFailpoint & BatchFailpoint & ScheduleFailpoint;
}

/** What every module is handed. */
export interface Tools {
  clock: Clock;
  clockTrust: ClockTrust;
  ids: Ids;
  log: Log;
  store: Store;
  /** How the store is doing, and everything that is counted. */
  meter: StoreMeter;
}
