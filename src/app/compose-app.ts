import type { AddressInfo } from 'node:net';
import { ensureFirstKey } from '#access/keys/api-keys.js';
import { accessPurges } from '#access/access-retention.js';
import { createCallErasure } from '#batches/erasure.js';
import type { CallService } from '#calls/call-service.js';
import { createLinks } from '#calls/call-links.js';
import type { CallErasure } from '#calls/erasure/erase-call.js';
import { batchPurges } from '#batches/erasure.js';
import { callPurges } from '#calls/erasure/call-retention.js';
import { schedulePurges } from '#schedules/schedule-retention.js';
import type { LiveFeed } from '#calls/live/sessions/live-feed.js';
import { Addresses } from './addresses.js';
import type { Config } from '#config/config.js';
import { LiveService } from '#live/live-service.js';
import { createHousekeeping } from '#housekeeping/housekeeping.js';
import { shrinkTransactions } from '#housekeeping/shrink-store.js';
import type { HttpServer } from '#http/requests/request.js';
import type { Log } from '#kernel/log/log.js';
import { LoopLag } from '#kernel/measuring/loop-lag.js';
import { policyPurges } from '#policy/policy-retention.js';
import { createAnalyst } from '#analysis/analyst.js';
import { openBuiltInSpeech, type BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { WebhookService } from '#webhooks/webhook-service.js';
import { eventPurge } from '#webhooks/event-retention.js';
import { assembleServer } from './assemble-server.js';
import { openObjectStorage } from './open-object-storage.js';
import { openAccess, openCallService, openCallOriginators, openWebhooks } from './open-modules.js';
import type { Replacements, Foundation } from './replacements.js';
import { openTalking } from './open-talking.js';

/** The result of a successful start. */
export interface Start {
  port: number;
  /** The first API key in clear, if this start created it. */
  firstKey: string | null;
  /**
   * A key that signs in to the console once, by `/console#key=…`. Null without a console, and in every environment but
   * `local`.
   */
  consoleKey: string | null;
}

/** The whole service, ready to listen. */
export interface App {
  readonly server: HttpServer;
  /** Events of live calls. */
  readonly liveFeed: LiveFeed;
  /**
   * Starts serving and dialling. A first API key is only created by a successful start: after a failed start it
   * would never be shown.
   */
  listen(): Promise<Start>;
  /**
   * Accepts nothing new and lets live calls continue, at most for the configured time. Parts that have not started
   * yet do not start.
   */
  drain(): Promise<void>;
  /** Stops everything in order. May be called twice. */
  close(): Promise<void>;
}

/**
 * Composes the service on top of its database, and orders its start and stop; used by `buildApp`. `open-modules.ts`
 * chooses the adapter for each port.
 * @param foundation the clock, ids, log and store of the process
 * @param replace parts that a test replaces
 */
export async function composeApp(
  config: Config,
  foundation: Foundation,
  replace: Partial<Replacements>,
): Promise<App> {
  const modules = await openModules(config, foundation, replace);
  const { tools, speech, callService, batches, originators, webhooks, housekeeping, server } = modules;
  const stopOriginators = () => Promise.all(originators.map((originator) => originator.stop()));
  let isStopping = false;
  let starting: Promise<unknown> = Promise.resolve();
  /** The steps of a start, in order; a stop meanwhile skips the remaining steps. */
  const steps: (() => unknown)[] = [
    () => batches.catchUp(),
    () => callService.start(),
    ...originators.map((originator) => () => originator.start()),
    () => webhooks.start(),
    () => housekeeping.start(),
    () => modules.loopLag.start(),
    () => warmUp({ speech, models: modules.talking.models }, tools.log, () => isStopping),
  ];
  async function begin(): Promise<Start> {
    await server.listen({ host: config.host, port: config.port });
    const { port } = server.server.address() as AddressInfo;
    modules.addresses.setPort(port);
    for (const step of steps) if (!isStopping) await step();
    const firstKey = config.makesFirstKey && !isStopping ? await ensureFirstKey(tools) : null;
    return { port, firstKey, consoleKey: config.servesConsole ? modules.sessions.mintLink() : null };
  }
  return {
    server,
    liveFeed: callService.feed,
    listen() {
      const begun = begin();
      starting = begun;
      return begun;
    },
    async drain() {
      isStopping = true;
      server.drain();
      await stopOriginators();
      await callService.drain(config.drainTimeoutSeconds * 1_000);
    },
    async close() {
      isStopping = true;
      await stopOriginators();
      await callService.stop();
      // The caller of `listen` receives the error.
      await starting.catch(() => {});
      await housekeeping.stop();
      modules.loopLag.stop();
      await server.close();
      await webhooks.stop();
      const used = [speech, modules.analyst, modules.talking, modules.objects];
      await Promise.all(used.map((part) => part.close()));
      await tools.store.close();
    },
  };
}

/** Opens all modules in the order of their dependencies. */
async function openModules(config: Config, foundation: Foundation, replace: Partial<Replacements>) {
  const { clock, clockTrust, ids, log, store, meter } = foundation;
  const webhooks = await openWebhooks(config, foundation, replace);
  // All other modules write through this store: a write that enqueues deliveries wakes the sender of webhooks.
  const tools: Foundation = { clock, clockTrust, ids, log, store: webhooks.wakeOnWrites(store), meter };
  const speech = replace.speech ?? openSpeech(config, tools);
  const analyst = replace.analyst ?? createAnalyst({ log });
  const access = await openAccess(config, tools);
  const addresses = new Addresses(config);
  const links = createLinks(
    { publicUrl: () => addresses.publicUrl, ttlSeconds: config.recordingUrlTtlSeconds },
    { clock, ...access },
  );
  const erasure = createCallErasure(tools.store);
  const { guard } = webhooks;
  const talking = await openTalking(config, tools, { guard, builtIn: speech.tts, replace });
  const objects = openObjectStorage(config, tools);
  const callService = await openCallService(config, tools, {
    objectStorage: objects.storage,
    speech,
    analyst,
    links,
    addresses,
    webhooks,
    erasure,
    talking,
    replace,
  });
  const { batches, schedules } = openCallOriginators(config, tools, { callService, webhooks });
  const live = openLive(tools, { callService, webhooks });
  const loopLag = new LoopLag(clock);
  const shared = { addresses, batches, callService, loopLag, speech, talking, webhooks };
  const server = assembleServer(config, tools, { ...shared, access, links, live, schedules });
  const housekeeping = openHousekeeping(config, tools, { erasure, callService });
  return {
    ...shared,
    analyst,
    housekeeping,
    objects,
    originators: [batches, schedules],
    server,
    sessions: access.sessions,
    tools,
  };
}

/** Opens the stream of live events for the console. */
function openLive(
  tools: Foundation,
  { callService, webhooks }: { callService: CallService; webhooks: WebhookService },
): LiveService {
  const live = new LiveService({ ...tools, feed: callService.feed });
  webhooks.onAttempt((report) => live.onDelivery(report));
  return live;
}

/** Opens the built-in voice, recogniser and playbook dialogue. */
function openSpeech(config: Config, { log, clock }: Foundation): BuiltInSpeech {
  const { speechThreads: threads, dictationThreads: dictations } = config;
  const { defaultTimezone: timeZone, defaultRegion: region } = config;
  return openBuiltInSpeech({ threads, dictations, log, clock, timeZone, region });
}

/** Creates the housekeeping, which deletes rows past their retention period, module by module. */
function openHousekeeping(
  config: Config,
  tools: Foundation,
  { erasure, callService }: { erasure: CallErasure; callService: CallService },
) {
  return createHousekeeping(tools, [
    ...accessPurges(tools.store),
    ...policyPurges(tools.store, config.retention.decisionDays),
    eventPurge(tools.store, config.retention.eventDays),
    ...batchPurges(tools.store, config.retention),
    ...callPurges(
      { ...tools, erasure, calls: callService.calls, recordings: callService.recordings },
      config.retention,
    ),
    ...schedulePurges(tools, config.retention),
    // Last: shrinks the database file by the space that the other steps have freed.
    () => tools.store.write(shrinkTransactions.giveBack, {}),
  ]);
}

/** Warms up the slow parts while requests are already served. A service that stops meanwhile logs no failure. */
function warmUp(
  parts: Readonly<Record<string, { warmUp(): Promise<void> }>>,
  log: Log,
  isStopping: () => boolean,
): void {
  for (const [name, part] of Object.entries(parts)) {
    part.warmUp().catch((error: unknown) => {
      if (!isStopping()) log.error({ err: error, part: name }, 'a part was not warmed up');
    });
  }
}
