import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { versions } from 'node:process';
import { isHoldSound } from '#media/samples/hold-sound.js';
import { daysMask } from '#policy/hours/call-window.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { ConfiguredCarrier } from './carrier-settings.js';
import { warningsOf } from './conflicts.js';
import { publicUrlOf } from './domain.js';
import { missingForObjectStorage, objectStorageOf } from './object-storage.js';
import type { ProvidersConfig } from './provider-settings.js';
import type { Settings } from './settings.js';

// Derives the configuration (`Config`) from the parsed settings, for `readConfig`. The fields have the names that the
// code uses; docs/settings.md explains the settings behind them.

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

/** The configuration that follows from the settings, including defaults that depend on other settings. */
export function deriveConfig(
  settings: Settings,
  carriers: readonly ConfiguredCarrier[],
  providers: ProvidersConfig,
) {
  const isLocal = settings.Environment === 'local';
  const dataDir = resolve(settings.DATA_DIR);
  return {
    environment: settings.Environment,
    ...addressesOf(settings, isLocal),
    logLevel: settings.LOG_LEVEL,
    corsOrigins: settings.CORS_ORIGINS,
    secureHeaders: settings.SECURE_HEADERS,
    trustProxy: settings.TRUST_PROXY,
    /** Requests per minute of each credential, or of each address without credentials; null for no limit. */
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE || null,
    webhookTimeoutSeconds: settings.Timeout,
    webhookAllowCidrs: settings.WEBHOOK_ALLOW_CIDRS ?? (isLocal ? LOOPBACK_NETWORKS : []),
    dataDir,
    /** `sqlite:<absolute path>` or `postgres://…`. */
    databaseUrl: databaseUrlOf(settings.DATABASE_URL, dataDir),
    recordingsDir: join(dataDir, 'recordings'),
    apiKeys: settings.API_KEYS ?? [],
    /** True if a first API key is created and shown for an empty database. */
    makesFirstKey: isLocal && settings.API_KEYS === null && settings.JWT_JWKS_URL === null,
    jwt: jwtOf(settings),
    unconfiguredProviders: settings.UNCONFIGURED_PROVIDERS ?? (isLocal ? 'builtin' : 'refuse'),
    ...numbersOf(settings),
    ...timesOf(settings),
    ...capacityOf(settings),
    policy: policyOf(settings),
    retention: readRetention(settings),
    recordStorage: settings.RECORD_STORAGE,
    objectStorage: objectStorageOf(settings),
    /** The names of settings that the object storage needs and that are missing. */
    objectStorageLacks: missingForObjectStorage(settings),
    recordingUrlTtlSeconds: settings.RECORDING_URL_TTL,
    drainTimeoutSeconds: settings.DRAIN_TIMEOUT_SECONDS,
    carriers,
    ...callingOf(settings),
    providers,
    aiSdkPackages: settings.AI_SDK_PROVIDERS ?? [],
    metricsToken: settings.METRICS_TOKEN,
    secretsKey: settings.SECRETS_KEY,
    speechThreads: settings.SPEECH_THREADS ?? Math.max(1, availableParallelism() - 1),
    dictationThreads: settings.DICTATION_THREADS,
    demo: settings.DEMO ?? (isLocal && settings.CARRIER === 'sandbox'),
    ...sandboxOf(settings),
    ...holdOf(settings),
    ...filesOf(settings),
    /** True if /docs, /redoc and /openapi.json are served. */
    servesDocs: isLocal,
    servesConsole: settings.CONSOLE,
    /** For the operator; they do not prevent a start. */
    warnings: warningsOf(settings),
  };
}

function callingOf(settings: Settings) {
  return {
    telephonyAllowUnsigned: settings.TELEPHONY_ALLOW_UNSIGNED,
    /** The carrier of outbound calls. */
    usualCarrier: settings.CARRIER,
    /** True if the carrier's voice greets incoming callers before the agent speaks. */
    carrierGreets: settings.GREETING === 'carrier',
  };
}

/** Where the process listens, and where it is reached. */
function addressesOf(settings: Settings, isLocal: boolean) {
  return {
    host: settings.HOST ?? (isLocal ? '127.0.0.1' : '0.0.0.0'),
    /** 0 lets the system choose; `Addresses` knows the port in use. */
    port: settings.PORT,
    /** Host and port by which other processes reach this process; null for the host and port that it listens on. */
    nodeAddress: settings.NODE_ADDRESS,
    /** True if `publicUrl` follows the port in use, because no domain is set. */
    domainFollowsPort: settings.SERVER_DOMAIN === null,
    /** Public address of the API, without a trailing slash. */
    publicUrl: publicUrlOf(settings.SERVER_DOMAIN ?? `localhost:${settings.PORT}`),
  };
}

/** How times are read, and how far ahead they may be. */
function timesOf(settings: Settings) {
  return {
    defaultTimezone: settings.DEFAULT_TIMEZONE,
    planningHorizonDays: settings.PLANNING_HORIZON_DAYS,
    /** Version of the runtime's time-zone data; plans made with another version are recomputed. */
    timeZoneVersion: versions['tz'] ?? 'unknown',
  };
}

/** How phone numbers are read, called from, and refused. */
function numbersOf(settings: Settings) {
  return {
    refusesForbiddenNumbers: settings.NUMBER_NOT_ALLOWED === 'refuse',
    /** The country of numbers in national format; undefined: a number without `+` begins with its calling code. */
    defaultRegion: settings.DEFAULT_REGION ?? undefined,
    defaultFromNumber: settings.DEFAULT_FROM_NUMBER,
  };
}

/** How many calls there may be at once, and how they are dialled. */
function capacityOf(settings: Settings) {
  return {
    maxConcurrentCalls: settings.MAX_CONCURRENT_CALLS,
    /** How many of these are reserved for incoming calls. */
    reservedForInbound: Math.floor((settings.MAX_CONCURRENT_CALLS * settings.INBOUND_SHARE_PERCENT) / 100),
    /** Null for the carrier's default. */
    callsPerSecond: settings.CALLS_PER_SECOND,
    dialDeadlineSeconds: settings.DIAL_DEADLINE_SECONDS,
  };
}

/** Files and folders of the operator, as absolute paths. */
function filesOf(settings: Settings) {
  return {
    languagesDir: settings.LANGUAGES_DIR && resolve(settings.LANGUAGES_DIR),
    pricesFile: settings.PRICES_FILE && resolve(settings.PRICES_FILE),
    webhookCaFile: settings.WEBHOOK_CA_FILE && resolve(settings.WEBHOOK_CA_FILE),
  };
}

/** The simulated carrier network. */
function sandboxOf(settings: Settings) {
  return {
    sandboxKind: settings.SANDBOX_KIND,
    sandboxFaults: settings.SANDBOX_FAULTS ?? {},
    sandboxLedger: settings.SANDBOX_LEDGER && resolve(settings.SANDBOX_LEDGER),
    sandboxPersonasDir: settings.SANDBOX_PERSONAS_DIR && resolve(settings.SANDBOX_PERSONAS_DIR),
  };
}

/** The database of the setting, else a file in the data folder; the path of a file is made absolute. */
function databaseUrlOf(given: string | null, dataDir: string): string {
  if (given === null) return `sqlite:${join(dataDir, 'callwright.db')}`;
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(given)?.[1];
  return path === undefined ? given : `sqlite:${resolve(path)}`;
}

/** The rules of the calling policy: hours, days, attempts per number (0 is no limit), countries. */
function policyOf(settings: Settings): PolicyRules {
  const caps = [
    { attempts: settings.ATTEMPTS_PER_DAY, hours: 24 },
    { attempts: settings.ATTEMPTS_PER_WEEK, hours: 24 * 7 },
  ];
  return {
    mode: settings.COMPLIANCE_MODE,
    // `timezone: null` means the time zone of the called number.
    window: { ...settings.CALLING_HOURS, days: daysMask(settings.CALLING_DAYS), timezone: null },
    // The call window of a batch or schedule, which `withOwnWindow` adds.
    ownWindow: null,
    caps: caps.filter((cap) => cap.attempts > 0),
    countries: settings.ALLOWED_COUNTRIES,
    fallbackZone: settings.DEFAULT_TIMEZONE,
  };
}

/** How the tokens of an identity provider are verified: the keys of its JWKS (RFC 7517) and the required claims. */
function jwtOf(settings: Settings) {
  const { JWT_JWKS_URL: jwksUrl, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (jwksUrl === null || issuer === null || audience === null) return null;
  return { jwksUrl, issuer, audience, workspaceClaim: settings.JWT_WORKSPACE_CLAIM };
}

/** The sound for callers on hold: a built-in sound by its name, or a file. */
function holdOf({ HOLD_SOUND: sound, HOLD_LIMIT_SECONDS: holdLimitSeconds }: Settings) {
  return { holdSound: isHoldSound(sound) ? sound : resolve(sound), holdLimitSeconds };
}

/** Retention in days; null for no limit. */
export interface Retention {
  decisionDays: number;
  eventDays: number;
  recordingDays: number | null;
  callDays: number | null;
}

/** Reads the retention periods. */
function readRetention(settings: Settings): Retention {
  return {
    decisionDays: settings.DECISION_RETENTION_DAYS,
    eventDays: settings.EVENT_RETENTION_DAYS,
    recordingDays: settings.RECORDING_RETENTION_DAYS,
    callDays: settings.CALL_RETENTION_DAYS,
  };
}
