import { createApiKeys } from '#access/keys/api-keys.js';
import { createAuthenticator } from '#access/authenticator.js';
import { createBootstrapKeys } from '#access/keys/bootstrap-keys.js';
import { createSessions } from '#access/sessions/sessions.js';
import { createJwtVerifier } from '#access/tokens/jwt.js';
import { createKeySet } from '#access/tokens/key-set.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { signingSecret } from '#access/tokens/signing-secret.js';
import { createRecordingTokens } from '#access/tokens/recording-token.js';
import { BatchService } from '#batches/batch-service.js';
import { CallService } from '#calls/call-service.js';
import { NO_PRICES } from '#calls/costs/prices.js';
import type { ThisNode } from '#calls/watch/node-store.js';
import type { Ids } from '#kernel/ids/ids.js';
import { readPrices } from '#calls/costs/prices-file.js';
import type { CallErasure } from '#calls/erasure/erase-call.js';
import type { Links } from '#calls/call-links.js';
import { Addresses } from './addresses.js';
import type { Config } from '#config/config.js';
import { startConversation } from '#conversation/start-conversation.js';
import { createModelDialogues } from '#providers/model-dialogues.js';
import { createRealtimeAgentOpener } from '#providers/realtime-agents.js';
import type { ResolveAgent } from '#providers/agent-request.js';
import { createAgentResolver } from '#providers/resolve-agent.js';
import { createDiskWriter } from '#media/recording/disk-writer.js';
import { createRecorder, repairRecording } from '#media/recording/recording.js';
import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { loadHoldSound } from '#media/samples/hold-sound.js';
import { loadResampling } from '#media/samples/resampler.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import type { Analyst } from '#analysis/analysis.js';
import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import { createCallBacks } from '#schedules/call-backs/call-backs.js';
import { ScheduleService } from '#schedules/schedule-service.js';
import { CarrierPool } from '#telephony/carrier-pool.js';
import { LOCAL_CARRIERS } from '#telephony/local-carriers.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import type { RemoteCarrierHost } from '#telephony/port/remote-host.js';
import { loadPersonas, withOwnPersonas } from '#telephony/sandbox/personas/load-personas.js';
import { PERSONAS, SANDBOX_FROM_NUMBER } from '#telephony/sandbox/personas/personas.js';
import type { SandboxOptions } from '#telephony/sandbox/sandbox-carrier.js';
import { SANDBOX_KINDS } from '#telephony/sandbox/sandbox-kinds.js';
import { keptListenerCertificate } from '#webhooks/local-certificate.js';
import { readCertificates } from '#webhooks/receiver-certificates.js';
import { checkReceiverUrl } from '#webhooks/registrations/receiver-url.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { folderIdOf } from '#kernel/system/folder-id.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { Replacements, Foundation } from './replacements.js';
import type { Talking } from './open-talking.js';

// Creates each module with its settings and adapters, as a part of the composition root; `compose-app.ts` calls these
// functions and connects the modules.

/** Opens authentication: keys, tokens and signed links. */
export async function openAccess(config: Config, tools: Foundation) {
  const apiKeys = createApiKeys(tools);
  const { jwt } = config;
  const verifier =
    jwt && createJwtVerifier(jwt, { keySet: createKeySet(jwt.jwksUrl, tools), clock: tools.clock });
  const bootstrapKeys = createBootstrapKeys(config.apiKeys);
  const sessions = createSessions({
    ...tools,
    holderOfHash: async (keyHash) => bootstrapKeys.holderOfHash(keyHash) ?? apiKeys.holderOfHash(keyHash),
    allowsLinks: config.environment === 'local',
  });
  return {
    apiKeys,
    sessions,
    authenticator: createAuthenticator({ apiKeys, bootstrapKeys, jwt: verifier }),
    tokens: createRecordingTokens({
      secret: await signingSecret(tools.store, tools.ids),
      clock: tools.clock,
    }),
  };
}
export type Access = Awaited<ReturnType<typeof openAccess>>;

/** Opens the delivery of webhooks. */
export async function openWebhooks(
  config: Config,
  tools: Foundation,
  replace: Partial<Replacements>,
): Promise<WebhookService> {
  return new WebhookService({
    ...tools,
    resolve: replace.resolve,
    settings: {
      timeoutMs: config.webhookTimeoutSeconds * 1_000,
      allowedNetworks: config.webhookAllowCidrs,
      trustedCertificates: await trustedCertificates(config),
    },
  });
}

/** Additional certificates trusted for webhook receivers: on a developer's machine, that of `webhook listen`. */
async function trustedCertificates({ webhookCaFile, environment, dataDir }: Config): Promise<string[]> {
  if (webhookCaFile !== null) return [await readCertificates(webhookCaFile)];
  return environment === 'local' ? [(await keptListenerCertificate(dataDir)).certificate] : [];
}

/** Opens the calls module with its carriers, media and speech. */
export async function openCallService(
  config: Config,
  tools: Foundation,
  parts: {
    speech: BuiltInSpeech;
    analyst: Analyst;
    links: Links;
    addresses: Addresses;
    webhooks: WebhookService;
    erasure: CallErasure;
    talking: Talking;
    objectStorage: ObjectStorage | null;
    replace: Partial<Replacements>;
  },
): Promise<CallService> {
  const { speech, analyst, links, addresses, webhooks, erasure, talking, objectStorage, replace } = parts;
  const { clock, ids, log } = tools;
  const conversationTools = await openConversationTools(config, { clock, log, speech });
  const disk = createDiskWriter();
  const onFailure = (error: Error) => log.error({ err: error }, 'recording stopped before the call');
  const sandbox = await sandboxOf(config, replace);
  return new CallService({
    ...tools,
    analyst,
    links,
    counters: tools.meter.counters,
    openCarriers: (host) =>
      openCarriers(config, tools, { host, sandbox, wrapSandbox: replace.carrier, speech, addresses }),
    record: (options) => createRecorder({ ...options, onFailure }, { disk }),
    repair: repairRecording,
    rules: config.policy,
    callBacks: createCallBacks(tools, config),
    erasure,
    askReceiver: webhooks.lookUp,
    objectStorage: objectStorage && (replace.objectStorage?.(objectStorage) ?? objectStorage),
    converse: (options, recorder) => startConversation(options, { ...conversationTools, recorder }),
    prices: config.pricesFile === null ? NO_PRICES : await readPrices(config.pricesFile),
    providers: talking.providers,
    resolveAgent: resolverOf(config, tools, parts),
    resampling: await loadResampling(),
    node: nodeOf(config, ids, addresses),
    settings: {
      recordingsDir: config.recordingsDir,
      recordStorage: config.recordStorage,
      mostWaitingBytes: config.objectStorage?.mostWaitingBytes ?? null,
      maxConcurrentCalls: config.maxConcurrentCalls,
      reservedForInbound: config.reservedForInbound,
      callsPerSecond: config.callsPerSecond,
      dialDeadlineMs: config.dialDeadlineSeconds * 1_000,
      defaultFromNumber: config.defaultFromNumber ?? SANDBOX_FROM_NUMBER,
      defaultTimezone: config.defaultTimezone,
      planningHorizonDays: config.planningHorizonDays,
      refusesForbiddenNumbers: config.refusesForbiddenNumbers,
      workspace: DEFAULT_WORKSPACE,
      streamUrl: (provider) =>
        Object.hasOwn(LOCAL_CARRIERS, provider) ? addresses.sandboxStreamUrl : addresses.publicStreamUrl,
    },
  });
}

/** The dependencies that the conversations of all calls share. */
async function openConversationTools(
  config: Config,
  { clock, log, speech }: Pick<Foundation, 'clock' | 'log'> & { speech: BuiltInSpeech },
) {
  const pacingTimer = createPacingTimer({ clock, log });
  const hold = await holdOf(config);
  return { clock, log, pacingTimer, hold, voiceActivity: await loadVoiceActivity(), operatorStt: speech.stt };
}

/** The identity of this process, by which the processes of a service know each other. */
function nodeOf({ recordingsDir }: Config, ids: Ids, addresses: Addresses): ThisNode {
  const folderId = folderIdOf(recordingsDir, ids);
  return { id: ids.next('node'), address: () => addresses.nodeAddress, folderId };
}

/** The sound for callers on hold, and its time limit. */
async function holdOf({ holdSound, holdLimitSeconds }: Config) {
  return { sound: await loadHoldSound(holdSound), limitMs: holdLimitSeconds * 1_000 };
}

/** The function that opens the recogniser, dialogue manager and voice of an agent. */
function resolverOf(
  config: Config,
  { clock, log }: Foundation,
  parts: { speech: BuiltInSpeech; talking: Talking; replace: Partial<Replacements> },
): ResolveAgent {
  const { talking, replace } = parts;
  const { models, voices, tooling, speech, languages } = talking;
  const { stt, dialogue } = parts.speech;
  const callTools = {
    httpToolParts: tooling.partsOf,
    clock,
    log,
    region: config.defaultRegion,
    timeZone: config.defaultTimezone,
  };
  const modelDialogues = createModelDialogues({
    ...callTools,
    // Null for a model that this service cannot use.
    resolveModel:
      replace.resolveModel ??
      ((choice, fallbacks) => (models.problemOf(choice) === null ? models.resolve(choice, fallbacks) : null)),
  });
  const openRealtimeAgent = createRealtimeAgentOpener({
    ...callTools,
    realtimeOf: (provider, model) => speech.realtime(provider, model),
  });
  return createAgentResolver({
    stt,
    dialogue,
    modelDialogues,
    voices,
    languages,
    clock,
    log,
    openRealtimeAgent,
    sttOf: (provider) => speech.stt(provider),
    outages: speech.outages,
  });
}

/** The options of the sandbox network, which simulates a carrier and its callees: kind, faults and personas. */
async function sandboxOf(config: Config, replace: Partial<Replacements>): Promise<SandboxOptions> {
  const ownPersonas = config.sandboxPersonasDir === null ? [] : await loadPersonas(config.sandboxPersonasDir);
  return {
    ...SANDBOX_KINDS[config.sandboxKind],
    faults: config.sandboxFaults,
    journalPath: config.sandboxLedger,
    personas: withOwnPersonas(PERSONAS, ownPersonas),
    ...replace.sandbox,
  };
}

/** Opens the sandbox network and the configured carriers. */
function openCarriers(
  config: Config,
  { clock, ids, log }: Foundation,
  parts: {
    host: RemoteCarrierHost;
    sandbox: SandboxOptions;
    wrapSandbox: Replacements['carrier'] | undefined;
    speech: BuiltInSpeech;
    addresses: Addresses;
  },
): CarrierPool {
  const { host, sandbox, wrapSandbox, speech, addresses } = parts;
  const http = createCarrierHttp({ clock });
  const remote = config.carriers.map(({ name, settings }) => {
    const definition = REMOTE_CARRIERS.find((carrier) => carrier.name === name)!;
    return definition.open(settings, { clock, log, http, publicUrl: () => addresses.publicUrl });
  });
  const local = LOCAL_CARRIERS.sandbox(sandbox, { host, clock, ids, log, tts: speech.tts });
  return new CarrierPool([wrapSandbox?.(local) ?? local, ...remote], { outbound: config.usualCarrier, http });
}

/**
 * Opens the modules that place calls by themselves (batches and schedules): they start after dialling starts, and stop
 * before it stops.
 */
export function openCallOriginators(
  config: Config,
  tools: Foundation,
  parts: { callService: CallService; webhooks: WebhookService },
): { batches: BatchService; schedules: ScheduleService } {
  const { callService, webhooks } = parts;
  const { timeZoneVersion, policy: rules, maxConcurrentCalls } = config;
  const { defaultTimezone, planningHorizonDays } = config;
  const callsPerSecond = config.callsPerSecond ?? callService.carriers.outbound.traits.callsPerSecond;
  const schedules = new ScheduleService({
    ...tools,
    callService,
    rules,
    settings: { defaultTimezone, planningHorizonDays, timeZoneVersion },
    checkReceiver: (url) => checkReceiverUrl(webhooks.guard, url, 'webhook_url'),
  });
  const batches = new BatchService({
    ...tools,
    callService,
    schedules: schedules.handles,
    settings: { defaultTimezone, planningHorizonDays, rules, callsPerSecond, maxConcurrentCalls },
  });
  return { batches, schedules };
}
