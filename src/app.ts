import { access, constants, mkdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createApiKeys, ensureFirstKey } from './access/api-keys.js';
import { createAuthenticator } from './access/authenticator.js';
import { createBootstrapKeys } from './access/bootstrap-keys.js';
import { createHousekeeping } from './access/housekeeping.js';
import { createJwtVerifier } from './access/jwt.js';
import { createKeySet } from './access/key-set.js';
import { signingSecret } from './access/secret-store.js';
import { createRecordingTokens } from './access/signed-url.js';
import { createAgents } from './agents/agents.js';
import { createPhoneNumbers } from './agents/phone-numbers.js';
import { BatchCentre } from './batches/batch-centre.js';
import { CallCentre } from './calls/call-centre.js';
import { createLinks, type Links } from './calls/call-links.js';
import type { LiveFeed } from './calls/live-feed.js';
import { Addresses } from './addresses.js';
import type { Config } from './config.js';
import { startConversation } from './conversation/start-conversation.js';
import { agentRoutes } from './http/routes/agents.js';
import { batchScheduleCallRoutes } from './http/routes/batch-schedule-call.js';
import { batchScheduledCallRoutes } from './http/routes/batch-scheduled-calls.js';
import { batchRoutes } from './http/routes/batches.js';
import { callRecordingRoutes } from './http/routes/call-recording.js';
import { callTalkRoutes } from './http/routes/call-talk.js';
import { callRoutes } from './http/routes/calls.js';
import { outboundCallRoutes } from './http/routes/outbound-call.js';
import { phoneNumberRoutes } from './http/routes/phone-numbers.js';
import { providerRoutes } from './http/routes/providers.js';
import { webhookDeliveryRoutes } from './http/routes/webhook-deliveries.js';
import { webhookEventTypeRoutes } from './http/routes/webhook-event-types.js';
import { webhookRoutes } from './http/routes/webhooks.js';
import { scheduledCallActionRoutes } from './http/routes/scheduled-call-actions.js';
import { scheduledCallRoutes } from './http/routes/scheduled-calls.js';
import { schedulerRoutes } from './http/routes/scheduler.js';
import { buildServer } from './http/server.js';
import type { HttpServer } from './http/request.js';
import { systemClock, type Clock } from './kernel/clock.js';
import type { Failpoint } from './kernel/failpoint.js';
import { createIds, type Ids } from './kernel/ids.js';
import { createLog, type Log } from './kernel/log.js';
import { createDiskWriter } from './media/disk-writer.js';
import { createRecorder, repairRecording } from './media/recording.js';
import { loadVoiceActivity } from './media/voice-activity.js';
import { createWheel } from './media/wheel.js';
import type { Analyst } from './speech/analysis/analysis.js';
import { createAnalyst } from './speech/analysis/analyst.js';
import { openBuiltInSpeech, type Speech } from './speech/built-in-speech.js';
import { ScheduleCentre } from './schedules/schedule-centre.js';
import { SPEECH_PROVIDERS } from './speech/providers.js';
import { openStore } from './store/open-store.js';
import { pingUnits } from './store/ping.js';
import type { Store } from './store/store.js';
import { CARRIERS } from './telephony/carriers.js';
import { loadPersonas, withOwnPersonas } from './telephony/sandbox/load-personas.js';
import { PERSONAS, SANDBOX_FROM_NUMBER } from './telephony/sandbox/personas.js';
import { SANDBOX_KINDS } from './telephony/sandbox/sandbox-kinds.js';
import type { SandboxOptions } from './telephony/sandbox/sandbox-carrier.js';
import { unitModules } from './unit-modules.js';
import type { Resolve } from './webhooks/resolver.js';
import { WebhookCentre } from './webhooks/webhook-centre.js';
import { registerAudioSockets } from './ws/register-audio-sockets.js';
import { webSocketOptions } from './ws/websocket-options.js';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
/** The carrier of everything that names none. */
const DEFAULT_CARRIER = 'sandbox';
/** Units that may wait for the database before requests are answered 503. */
const STORE_QUEUE_LIMIT = 5_000;

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
  failpoint: Failpoint;
}

/** The whole house, ready to open its doors. */
export interface App {
  readonly server: HttpServer;
  /** The first API key, in clear, when this start has made it. */
  readonly firstKey: string | null;
  /** What happens in live calls, as it happens. */
  readonly liveFeed: LiveFeed;
  /** Begins to serve and to dial. */
  listen(): Promise<{ port: number }>;
  /** Takes nothing new and lets live calls go on, at the longest for the configured time. */
  drain(): Promise<void>;
  /** Ends everything in order. Harmless twice. */
  close(): Promise<void>;
}

/** What the process wants to be told. */
export interface Hooks {
  /** The database is lost: nothing can be accepted any more, and only a new start can help. */
  onStoreLost?: (error: Error) => void;
}

/** What every room is handed. */
interface Tools {
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
}

/** Puts the house together: the one place that knows which adapter stands behind which port. */
export async function buildApp(
  config: Config,
  replace: Partial<Replacements> = {},
  hooks: Hooks = {},
): Promise<App> {
  const clock = replace.clock ?? systemClock;
  const ids = replace.ids ?? createIds(clock);
  const log = replace.log ?? createLog(config.logLevel);
  await mkdir(config.recordingsDir, { recursive: true });
  const store = await openStore(
    {
      databaseUrl: config.databaseUrl,
      unitModules,
      migrationsDir: MIGRATIONS,
      queueLimit: STORE_QUEUE_LIMIT,
    },
    { log, clock, ...(hooks.onStoreLost ? { onLost: hooks.onStoreLost } : {}) },
  );
  const webhooks = await openWebhooks(config, { clock, ids, log, store }, replace);
  const tools: Tools = { clock, ids, log, store: webhooks.watch(store) };
  const { speechThreads: threads, defaultTimezone: timeZone, defaultRegion: region } = config;
  const speech = replace.speech ?? openBuiltInSpeech({ threads, log, clock, timeZone, region });
  const analyst = replace.analyst ?? createAnalyst({ log });
  const doors = await openAccess(config, tools);
  const addresses = new Addresses(config);
  const links = createLinks(
    { publicUrl: () => addresses.publicUrl, ttlSeconds: config.recordingUrlTtlSeconds },
    { clock, tokens: doors.tokens },
  );
  const centre = await openCallCentre(config, tools, { speech, analyst, links, addresses, replace });
  const batches = new BatchCentre({
    ...tools,
    centre,
    settings: { defaultTimezone: config.defaultTimezone, rules: config.policy },
  });
  const { defaultTimezone, timeZoneVersion } = config;
  const schedules = new ScheduleCentre({
    ...tools,
    centre,
    settings: { defaultTimezone, timeZoneVersion },
    checkReceiver: (url) => webhooks.guard.check(url, 'webhook_url'),
  });
  const makers: CallMaker[] = [batches, schedules];
  const housekeeping = createHousekeeping(tools);
  const server = assembleServer(config, tools, { doors, centre, batches, schedules, links, webhooks });
  let isClosing = false;

  return {
    server,
    firstKey: config.makesFirstKey ? await ensureFirstKey(tools) : null,
    liveFeed: centre.feed,
    async listen() {
      await server.listen({ host: config.host, port: config.port });
      const { port } = server.server.address() as AddressInfo;
      addresses.listenOn(port);
      await centre.start();
      for (const maker of makers) maker.start();
      await webhooks.start();
      housekeeping.start();
      warmUp(speech, log, () => isClosing);
      return { port };
    },
    async drain() {
      server.drain();
      await Promise.all(makers.map((maker) => maker.stop()));
      await centre.drain(config.drainTimeoutSeconds * 1_000);
    },
    async close() {
      isClosing = true;
      await Promise.all(makers.map((maker) => maker.stop()));
      await centre.stop();
      await housekeeping.stop();
      await server.close();
      await webhooks.stop();
      await Promise.all([speech.close(), analyst.close()]);
      await store.close();
    },
  };
}

/** Loads what is slow to load, beside the first requests. A service that stops before that is done is no failure. */
function warmUp(speech: Speech, log: Log, isClosing: () => boolean): void {
  speech.warmUp().catch((error: unknown) => {
    if (!isClosing()) log.error({ err: error }, 'speech was not warmed up');
  });
}

async function openAccess(config: Config, tools: Tools) {
  const apiKeys = createApiKeys(tools);
  const { jwt } = config;
  const verifier =
    jwt && createJwtVerifier(jwt, { keySet: createKeySet(jwt.jwksUrl, tools), clock: tools.clock });
  const bootstrapKeys = createBootstrapKeys(config.apiKeys);
  return {
    apiKeys,
    authenticator: createAuthenticator({ apiKeys, bootstrapKeys, jwt: verifier }),
    tokens: createRecordingTokens({
      secret: await signingSecret(tools.store, tools.ids),
      clock: tools.clock,
    }),
  };
}
type Access = Awaited<ReturnType<typeof openAccess>>;

async function openWebhooks(
  config: Config,
  tools: Tools,
  replace: Partial<Replacements>,
): Promise<WebhookCentre> {
  const { webhookCaFile } = config;
  return new WebhookCentre({
    ...tools,
    resolve: replace.resolve,
    settings: {
      timeoutMs: config.webhookTimeoutSeconds * 1_000,
      allowedNetworks: config.webhookAllowCidrs,
      trustedCertificates: webhookCaFile === null ? [] : [await readFile(webhookCaFile, 'utf8')],
    },
  });
}

async function openCallCentre(
  config: Config,
  tools: Tools,
  parts: {
    speech: Speech;
    analyst: Analyst;
    links: Links;
    addresses: Addresses;
    replace: Partial<Replacements>;
  },
): Promise<CallCentre> {
  const { speech, analyst, links, addresses, replace } = parts;
  const { clock, ids, log } = tools;
  const wheel = createWheel({ clock, log });
  const voiceActivity = await loadVoiceActivity();
  const disk = createDiskWriter();
  const own = config.sandboxPersonasDir === null ? [] : await loadPersonas(config.sandboxPersonasDir);
  const personas = withOwnPersonas(PERSONAS, own);
  const sandbox = {
    ...SANDBOX_KINDS[config.sandboxKind],
    ...{ faults: config.sandboxFaults, ledgerPath: config.sandboxLedger, personas },
    ...replace.sandbox,
  };
  return new CallCentre({
    ...{ ...tools, analyst, links },
    openCarrier: (host) => CARRIERS.sandbox(sandbox, { host, clock, ids, log, speaking: speech.speaking }),
    record: (options) => {
      const onFailure = (error: Error) => log.error({ err: error }, 'recording stopped before the call');
      return createRecorder({ ...options, onFailure }, { disk });
    },
    repair: repairRecording,
    rules: config.policy,
    failpoint: replace.failpoint,
    converse: (options, recorder) =>
      startConversation(options, { clock, log, wheel, voiceActivity, recorder, ...speech }),
    node: { id: ids.next('node'), address: `${config.host}:${config.port}` },
    settings: {
      recordingsDir: config.recordingsDir,
      maxConcurrentCalls: config.maxConcurrentCalls,
      reservedForInbound: config.reservedForInbound,
      callsPerSecond: config.callsPerSecond,
      dialDeadlineMs: config.dialDeadlineSeconds * 1_000,
      defaultFromNumber: config.defaultFromNumber ?? SANDBOX_FROM_NUMBER,
      defaultTimezone: config.defaultTimezone,
      streamUrl: () => addresses.sandboxStreamUrl,
    },
  });
}

/** What makes calls by itself. It begins once calls are dialled, and ends before they are let go; both harmless twice. */
interface CallMaker {
  start(): void;
  stop(): Promise<void>;
}

function assembleServer(
  config: Config,
  tools: Tools,
  parts: {
    doors: Access;
    centre: CallCentre;
    batches: BatchCentre;
    schedules: ScheduleCentre;
    links: Links;
    webhooks: WebhookCentre;
  },
): HttpServer {
  const { doors, centre, links } = parts;
  const { clock, ids, log, store } = tools;
  const { authenticator, apiKeys, tokens } = doors;
  const server = buildServer(config, {
    ...{ clock, ids, log, store, authenticator, apiKeys },
    webSocket: webSocketOptions({ clock, log }),
    readiness: [
      { name: 'database', check: () => store.read(pingUnits.ping, {}) },
      {
        name: 'scheduler',
        check: async () => void (await Promise.all([centre.checkDialler(), parts.schedules.check()])),
      },
      { name: 'storage', check: () => access(config.recordingsDir, constants.W_OK) },
    ],
    gauges: {
      live_calls: { help: 'Calls whose audio runs through this process.', read: () => centre.sessions.count },
      webhook_requests: { help: 'Requests to webhooks under way.', read: () => parts.webhooks.inFlight },
    },
  });
  const { calls, views, recordings, streams } = centre;
  const agents = createAgents({ store, clock, ids, providers: SPEECH_PROVIDERS });
  const phoneNumbers = createPhoneNumbers({ store, clock, ids, defaultCarrier: DEFAULT_CARRIER });
  const { recordingsDir, defaultRegion: region } = config;
  const telephony = Object.keys(CARRIERS).map((name) => ({ name, configured: true }));
  const providers = { ...SPEECH_PROVIDERS, telephony };
  void server.register(outboundCallRoutes, { calls, region });
  void server.register(batchScheduleCallRoutes, { ...parts.batches, region });
  void server.register(batchRoutes, parts.batches);
  void server.register(batchScheduledCallRoutes, { ...parts.batches, region });
  const { schedules, health } = parts.schedules;
  void server.register(scheduledCallRoutes, { schedules, region });
  void server.register(scheduledCallActionRoutes, {
    ...{ schedules, clock, defaultTimezone: config.defaultTimezone },
  });
  void server.register(schedulerRoutes, { health });
  void server.register(callRoutes, { calls, views, recordings, agents, links, region });
  void server.register(callTalkRoutes, { calls, views });
  void server.register(callRecordingRoutes, { recordings, links, tokens, authenticator, recordingsDir });
  void server.register(agentRoutes, { agents });
  void server.register(phoneNumberRoutes, { phoneNumbers, region });
  void server.register(providerRoutes, { providers });
  void server.register(webhookRoutes, parts.webhooks);
  void server.register(webhookDeliveryRoutes, parts.webhooks);
  void server.register(webhookEventTypeRoutes);
  void server.register(async (scope) =>
    registerAudioSockets(scope, { calls: streams, clock, ids, log, authenticator }),
  );
  return server;
}
