import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Analyst } from '#analysis/analysis.js';
import type { SendToolRequest } from '#dialogue/tools/tool-http.js';
import type { ResolveModel } from '#providers/model-dialogues.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import type { ConnectSocket } from '#providers/wire/socket.js';
import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { Store } from '#store/store.js';
import type { ModuleContext } from '#store/module-context.js';
import type { StoreMeter } from '#store/store-meter.js';
import type { Carrier } from '#telephony/port/carrier.js';
import type { SandboxOptions } from '#telephony/sandbox/sandbox-carrier.js';
import type { Resolve } from '#outbound-http/resolver.js';

/**
 * The parts of the service that the caller of `buildApp` may replace: tests replace any of them, benchmarks the log
 * and the sandbox options, the commands `serve` and `demo` only the log.
 */
export interface Replacements {
  clock: Clock;
  ids: Ids;
  log: Log;
  speech: BuiltInSpeech;
  analyst: Analyst;
  /** Overrides single options of the sandbox network. */
  sandbox: SandboxOptions;
  /** Resolves the host names that the address guard checks: of webhooks, tools and customers' model servers. */
  resolve: Resolve;
  /** Opens the language models that agents name; by default those of the configured providers. */
  resolveModel: ResolveModel;
  /** Additional providers. */
  providers: readonly ProviderDefinition[];
  /** Opens WebSockets to providers. */
  connectSocket: ConnectSocket;
  /** Sends the requests of tools; by default over HTTP, with the address guard. */
  sendToolRequest: SendToolRequest;
  /** Wraps the configured object storage. */
  objectStorage: (storage: ObjectStorage) => ObjectStorage;
  /** Wraps the database's store, for example to make it fail. */
  store: (store: Store) => Store;
  /** Wraps the carrier of the sandbox network. */
  carrier: (carrier: Carrier) => Carrier;
}

/**
 * What `buildApp` opens first, and the functions of the composition root pass to the modules: `ModuleContext`, with the
 * meter in place of its counters.
 */
export interface Foundation extends Omit<ModuleContext, 'counters'> {
  /** Measures the store, and holds all counters. */
  meter: StoreMeter;
}
