import { access as requireAccess, constants } from 'node:fs/promises';
import { createAgentRegions } from '#agents/definitions/agent-regions.js';
import { createAgents } from '#agents/definitions/agents.js';
import type { LookupGate } from '#agents/definitions/lookup.js';
import { createPhoneNumbers } from '#agents/phone-numbers/phone-numbers.js';
import { BatchService } from '#batches/batch-service.js';
import { batchRequest } from '#batches/intake/batch-request.js';
import { CallService } from '#calls/call-service.js';
import type { Links } from '#calls/call-links.js';
import type { Models } from '#providers/models.js';
import type { SpeechOutage } from '#speech/outages.js';
import type { Addresses } from './addresses.js';
import type { Config } from '#config/config.js';
import { newWebhookSecret } from '#webhooks/registrations/notification-target.js';
import { agentRoutes } from '#http/routes/agents.js';
import { agentTrialRoutes } from '#http/routes/agent-trials.js';
import { carrierWebhookRoutes } from '#http/routes/carrier-webhooks.js';
import { callDigitsRoutes } from '#http/routes/call-digits.js';
import { batchImportRoutes } from '#http/routes/batch-import.js';
import { batchPreflightRoutes } from '#http/routes/batch-preflight.js';
import { batchResultRoutes } from '#http/routes/batch-results.js';
import { batchScheduleCallRoutes } from '#http/routes/batch-schedule-call.js';
import { batchScheduledCallRoutes } from '#http/routes/batch-scheduled-calls.js';
import { batchRoutes } from '#http/routes/batches.js';
import { callSteeringRoutes } from '#http/routes/call-steering.js';
import { callRecordingRoutes } from '#http/routes/call-recording.js';
import { callTalkRoutes } from '#http/routes/call-talk.js';
import { callRoutes } from '#http/routes/calls.js';
import { liveRoutes } from '#http/routes/live.js';
import { numberRoutes } from '#http/routes/numbers.js';
import { overviewRoutes } from '#http/routes/overview.js';
import { setupRoutes } from '#http/routes/setup.js';
import { setupItems } from './setup-items.js';
import { outboundCallRoutes } from '#http/routes/outbound-call.js';
import { phoneNumberRoutes } from '#http/routes/phone-numbers.js';
import { secretRoutes } from '#http/routes/secrets.js';
import { statsRoutes } from '#http/routes/stats.js';
import { suppressionImportRoutes } from '#http/routes/suppression-import.js';
import { suppressionRoutes } from '#http/routes/suppressions.js';
import { providerRoutes, type Providers } from '#http/routes/providers.js';
import { voiceRoutes } from '#http/routes/voices.js';
import { toolTestRoutes } from '#http/routes/tool-test.js';
import { webhookDeliveryRoutes } from '#http/routes/webhook-deliveries.js';
import { webhookEventTypeRoutes } from '#http/routes/webhook-event-types.js';
import { webhookRoutes } from '#http/routes/webhooks.js';
import { scheduledCallActionRoutes } from '#http/routes/scheduled-call-actions.js';
import { scheduledCallRoutes } from '#http/routes/scheduled-calls.js';
import { schedulerRoutes } from '#http/routes/scheduler.js';
import type { Degradation } from '#http/routes/health.js';
import { buildServer } from '#http/server.js';
import { RefusedCarrierRequests } from '#http/admission/refused-carrier-requests.js';
import { requireScope } from '#http/admission/authentication.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { loadResampling } from '#media/samples/resampler.js';
import type { HttpServer } from '#http/requests/request.js';
import type { LoopLag } from '#kernel/measuring/loop-lag.js';
import { ScheduleService } from '#schedules/schedule-service.js';
import type { LiveService } from '#live/live-service.js';
import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import { createNumbers } from '#policy/decisions/numbers.js';
import { SuppressionListReader } from '#policy/suppressions/suppression-list-reader.js';
import { Suppressions, type OnSuppressed } from '#policy/suppressions/suppressions.js';
import { pingTransactions } from '#store/ping.js';
import { LOCAL_CARRIERS } from '#telephony/local-carriers.js';
import { codecOf, REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { CarrierWebhookDispatcher } from '#telephony/carrier-webhook-dispatcher.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { checkReceiverUrl } from '#webhooks/registrations/receiver-url.js';
import { registerCallSockets } from '#ws/register-call-sockets.js';
import { registerAudioSockets } from '#ws/register-audio-sockets.js';
import { webSocketOptions } from '#ws/limits/websocket-options.js';
import type { Access } from './open-modules.js';
import { operatorMetrics } from './operator-metrics.js';
import type { Talking } from './open-talking.js';
import type { Foundation } from './replacements.js';

// Builds the HTTP server with the routes and sockets of every module. One function for each group of routes passes the
// parts of the modules that these routes need.

/** The carrier of registered phone numbers that name no carrier. */
const DEFAULT_CARRIER = 'sandbox';

/** The modules and parts behind the routes, the health checks and the metrics. */
interface Modules {
  access: Access;
  callService: CallService;
  batches: BatchService;
  schedules: ScheduleService;
  links: Links;
  webhooks: WebhookService;
  live: LiveService;
  addresses: Addresses;
  speech: Pick<BuiltInSpeech, 'check' | 'waiting'>;
  loopLag: LoopLag;
  talking: Talking;
}

/** Builds the server with the routes of every module; used by `composeApp`. */
export function assembleServer(config: Config, tools: Foundation, modules: Modules): HttpServer {
  const { access, callService, schedules, webhooks } = modules;
  const { clock, ids, log, store } = tools;
  const { authenticator, apiKeys, sessions } = access;
  const server = buildServer(config, {
    clock,
    ids,
    log,
    store,
    authenticator,
    apiKeys,
    sessions,
    webSocket: webSocketOptions({ clock, log }),
    degraded: () => [
      ...modelOutages(modules.talking.models),
      ...speechOutages(modules.talking),
      ...unrecordedCalls(callService),
    ],
    readiness: [
      {
        name: 'database',
        check: async () =>
          void (await Promise.all([
            store.read(pingTransactions.ping, {}),
            store.write(pingTransactions.takesChanges, {}),
          ])),
      },
      {
        name: 'scheduler',
        check: async () => void (await Promise.all([callService.checkDialler(), schedules.check()])),
      },
      { name: 'storage', check: () => requireAccess(config.recordingsDir, constants.W_OK) },
      { name: 'speech', check: () => modules.speech.check() },
      { name: 'event_loop', check: async () => requirePromptEventLoop(modules.loopLag) },
    ],
    metrics: operatorMetrics(tools, { ...modules, meter: tools.meter, carrier: config.usualCarrier }),
  });
  registerCalls(server, config, { tools, modules });
  registerCallOriginators(server, config, { tools, modules });
  registerPolicy(server, config, { tools, callService });
  registerCarriers(server, config, { tools, modules });
  void server.register(liveRoutes, { live: modules.live, clock });
  void server.register(webhookRoutes, webhooks);
  void server.register(webhookDeliveryRoutes, webhooks);
  void server.register(webhookEventTypeRoutes);
  registerSockets(server, { tools, modules });
  return server;
}

/** The WebSockets that carry the audio of calls, and those of people who listen in to a call or take it over. */
function registerSockets(
  server: HttpServer,
  { tools, modules: { access, callService } }: { tools: Foundation; modules: Modules },
): void {
  const { clock, ids, log } = tools;
  const { authenticator } = access;
  void server.register(async (scope) =>
    registerAudioSockets(scope, {
      resampling: await loadResampling(),
      calls: callService.streams,
      clock,
      ids,
      log,
      openSocket: createSocketOpener({ clock }),
      authenticator,
      sessionOf: (request) => server.sessionOf(request),
      countRefusedCredentials: (request) => server.countRefusedCredentials(request),
    }),
  );
  void server.register(async (scope) =>
    registerCallSockets(scope, {
      steering: callService.steering,
      clock,
      log,
      openSocket: createSocketOpener({ clock }),
      resampling: await loadResampling(),
      async identify(request, required) {
        const principal = await server.identify(request);
        requireScope(principal, required);
        return principal;
      },
      areCredentialsValid: (request) => server.areCredentialsValid(request),
    }),
  );
}

/** The operator's models that are out of use. Those of customers are omitted, because /health is public. */
function modelOutages(models: Models): Degradation[] {
  return models
    .outages()
    .filter(({ usesOperatorsAccount }) => usesOperatorsAccount)
    .map(({ provider, model, failure, sinceMs, untilMs }) => {
      return { part: 'language_model', provider, model, reason: failure, sinceMs, untilMs };
    });
}

/** The voices and recognisers that are out of use; all of them are the operator's. */
function speechOutages({ voices, speech }: Talking): Degradation[] {
  const degradationsOf = (part: 'voice' | 'recogniser', outages: readonly SpeechOutage[]) =>
    outages.map(({ provider, failure: reason, sinceMs, untilMs }) => {
      return { part, provider, model: null, reason, sinceMs, untilMs };
    });
  return [
    ...degradationsOf('voice', voices.outages()),
    ...degradationsOf('recogniser', speech.outages.outages()),
  ];
}

/** The degradation while calls are not recorded, because too many recordings wait for object storage. */
function unrecordedCalls({ storageBacklog: { fullSince } }: CallService): Degradation[] {
  if (fullSince === null) return [];
  const facts = { provider: 's3', model: null, reason: 'storage_backlog' };
  return [{ part: 'recordings', ...facts, sinceMs: fullSince, untilMs: null }];
}

/** The delay of the event loop at which the process is not ready: frames of audio are due every 20 ms. */
const MAX_LAG_MS = 250;

/** A readiness check. @throws Error if timers fire too late for live audio */
function requirePromptEventLoop({ meanMs }: LoopLag): void {
  if (meanMs > MAX_LAG_MS) throw new Error(`the event loop is ${Math.round(meanMs)} ms late`);
}

/** The routes of calls and agents. */
function registerCalls(
  server: HttpServer,
  config: Config,
  {
    tools,
    modules: { access, callService, links, webhooks, talking, addresses },
  }: { tools: Foundation; modules: Modules },
): void {
  const { recordingsDir, defaultRegion: region, defaultTimezone } = config;
  const { tooling, voices } = talking;
  const { calls, views, stats, recordings, steering } = callService;
  const { providers } = callService.calls.defaults;
  const { agents, phoneNumbers } = openAnswerers(tools, { callService, webhooks });
  // All carriers of this release, for the list of providers.
  const carrierNames = [...Object.keys(LOCAL_CARRIERS), ...REMOTE_CARRIERS.map(({ name }) => name)];
  const telephony = carrierNames.map((name) => ({
    name,
    configured: callService.carriers.find(name) !== null,
  }));
  const agentRegions = createAgentRegions(tools.store);
  void server.register(outboundCallRoutes, { calls, agentRegions, region });
  const viewParts = { views, recordings, agents, links };
  void server.register(callRoutes, { calls, steering, agentRegions, region, ...viewParts });
  void server.register(callDigitsRoutes, { calls, steering });
  void server.register(callSteeringRoutes, { steering, region });
  void server.register(callTalkRoutes, { calls, views });
  void server.register(statsRoutes, { stats });
  void server.register(overviewRoutes, { ...tools, defaultTimezone });
  void server.register(setupRoutes, {
    settings: config.settingsInForce,
    checkParts: (principal) =>
      setupItems(principal, {
        config,
        publicUrl: () => addresses.publicUrl,
        models: providers.ai,
        apiKeys: access.apiKeys,
        phoneNumbers,
        webhooks: webhooks.webhooks,
      }),
  });
  void server.register(callRecordingRoutes, {
    recordings,
    links,
    tokens: access.tokens,
    recordingsDir,
    // Null: clients cannot reach the storage, so this service passes recordings on to them.
    objectAddressSeconds: config.objectStorage?.isPublic ? config.recordingUrlTtlSeconds : null,
  });
  void server.register(agentRoutes, { agents, secrets: tooling.secrets, defaultTimezone });
  void server.register(agentTrialRoutes, { agents, secrets: tooling.secrets });
  void server.register(secretRoutes, { secrets: tooling.secrets });
  void server.register(toolTestRoutes, { toolParts: tooling.partsOf, ids: tools.ids });
  void server.register(phoneNumberRoutes, { phoneNumbers, region });
  void server.register(voiceRoutes, { voices });
  void server.register(providerRoutes, {
    providers: { ...providers, telephony, storage: storageListings(config) },
  });
}

/** The operations on agents, and on the phone numbers that they answer. */
function openAnswerers(
  tools: Foundation,
  { callService, webhooks }: Pick<Modules, 'callService' | 'webhooks'>,
) {
  const lookups: LookupGate = {
    checkUrl: (url) => checkReceiverUrl(webhooks.guard, url, 'lookup_url'),
    newSecret: () => newWebhookSecret(tools.ids),
  };
  const { trials, carriers, calls } = callService;
  const { providers } = calls.defaults;
  const { joinsLegs } = carriers.outbound.traits;
  return {
    agents: createAgents({ ...tools, lookups, providers, trials, joinsLegs }),
    phoneNumbers: createPhoneNumbers({ ...tools, lookups, defaultCarrier: DEFAULT_CARRIER }),
  };
}

/** The storages of recordings, for the list of providers. */
function storageListings({ objectStorageLacks: missing }: Config): Providers['storage'] {
  return [
    { name: 'local', configured: true },
    { name: 's3', configured: missing.length === 0, ...(missing.length > 0 && { missing: [...missing] }) },
  ];
}

/** The webhook routes by which carriers announce incoming calls and report on calls. */
function registerCarriers(
  server: HttpServer,
  { carrierGreets: greets, telephonyAllowUnsigned: allowsUnsigned }: Config,
  { tools, modules: { access, callService, addresses, talking } }: { tools: Foundation; modules: Modules },
): void {
  const { clock, log, meter } = tools;
  const { languages } = talking;
  const { carriers, carrierHost: host } = callService;
  const publicUrl = () => addresses.publicUrl;
  const dispatching = { carriers, host, clock, log, codecOf, publicUrl, greets, languages };
  const dispatcher = new CarrierWebhookDispatcher(dispatching);
  const remoteNames = carriers.remotes.map(({ name }) => name);
  const refused = new RefusedCarrierRequests({ clock, log, counters: meter.counters, carriers: remoteNames });
  void server.register(carrierWebhookRoutes, {
    dispatcher,
    clock,
    publicUrl,
    refused,
    allowsUnsigned,
    authenticator: access.authenticator,
  });
}

/** The routes of batches and schedules. */
function registerCallOriginators(
  server: HttpServer,
  { defaultRegion: region, defaultTimezone }: Config,
  { tools, modules: { batches, schedules: scheduleService } }: { tools: Foundation; modules: Modules },
): void {
  const { schedules, health } = scheduleService;
  const agentRegions = createAgentRegions(tools.store);
  const intake = { reader: batches.reader, agentRegions, region };
  // Made once, because two routes use it: OpenAPI permits one schema for each name.
  const body = batchRequest(region);
  void server.register(batchScheduleCallRoutes, { ...batches, ...intake, body });
  void server.register(batchImportRoutes, { ...batches, ...intake });
  void server.register(batchPreflightRoutes, { ...batches, ...intake, body });
  void server.register(batchResultRoutes, { store: tools.store });
  void server.register(batchRoutes, batches);
  void server.register(batchScheduledCallRoutes, { scheduledCalls: batches.scheduledCalls, region });
  void server.register(scheduledCallRoutes, { schedules, agentRegions, region });
  void server.register(scheduledCallActionRoutes, { schedules, clock: tools.clock, defaultTimezone });
  void server.register(schedulerRoutes, { health });
}

/** The routes of the calling policy: the suppression list, and decisions about numbers. */
function registerPolicy(
  server: HttpServer,
  { policy: rules, defaultRegion: region }: Config,
  { tools, callService }: { tools: Foundation; callService: CallService },
): void {
  const onSuppressed: OnSuppressed = (numbers) => callService.suppressionEnforcer.enforce(numbers);
  const suppressions = new Suppressions({ ...tools, onSuppressed });
  void server.register(suppressionRoutes, { suppressions, region });
  const reader = new SuppressionListReader(tools);
  server.addHook('onClose', () => reader.close());
  void server.register(suppressionImportRoutes, { suppressions, reader, store: tools.store, region });
  void server.register(numberRoutes, { numbers: createNumbers({ ...tools, rules }), region });
}
