import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { versions } from 'node:process';
import { parseEnv } from 'node:util';
import type { CountryCode } from 'libphonenumber-js';
import { readCarriers, usualCarrierProblems, type ConfiguredCarrier } from './carrier-settings.js';
import { ConfigError, type Environment, type SettingProblem } from './setting-types.js';
import { readRetention, type Retention } from './retention.js';
import { SETTINGS, type Setting, type Settings } from './settings.js';
import type { LogLevel } from './kernel/log.js';
import { inWords } from './kernel/system-trouble.js';
import type { SandboxFaults } from './telephony/sandbox/faults.js';
import type { SandboxKind } from './telephony/sandbox/sandbox-kinds.js';
import { daysMask } from './policy/call-window.js';
import type { PolicyRules } from './policy/policy-rules.js';

export { ConfigError } from './setting-types.js';

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

/** Everything that was decided at start; frozen, so nothing can change it afterwards. */
export interface Config {
  readonly environment: 'local' | 'production';
  readonly host: string;
  /** 0 until the system has chosen one. */
  readonly port: number;
  /** Whether {@link publicUrl} and {@link streamUrl} follow the port in use, because no domain was set. */
  readonly domainFollowsPort: boolean;
  /** Where the API is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** Where audio sockets are opened from outside: `ws(s)://<domain>/ws/stream`. */
  readonly streamUrl: string;
  readonly logLevel: LogLevel;
  readonly corsOrigins: readonly string[];
  readonly secureHeaders: boolean;
  /** As Fastify's `trustProxy`. */
  readonly trustProxy: false | number | string[];
  /** Per credential; null for no limit. */
  readonly rateLimitPerMinute: number | null;
  readonly webhookTimeoutSeconds: number;
  /** Networks that webhooks may be sent to though they are private. */
  readonly webhookAllowCidrs: readonly string[];
  /** Certificates of receivers to trust beside the usual ones. */
  readonly webhookCaFile: string | null;
  readonly dataDir: string;
  /** `sqlite:<absolute path>` or `postgres://…`. */
  readonly databaseUrl: string;
  readonly recordingsDir: string;
  readonly apiKeys: readonly string[];
  /** Whether a first API key is made and shown when the database holds none: local, and no other credential set. */
  readonly makesFirstKey: boolean;
  readonly jwt: JwtConfig | null;
  readonly defaultTimezone: string;
  /** Of the time-zone data of this runtime; plans that were made with another are made anew. */
  readonly timeZoneVersion: string;
  /** Whose national numbers are understood; undefined for nobody's. */
  readonly defaultRegion: CountryCode | undefined;
  /** Null: the carrier's own. */
  readonly defaultFromNumber: string | null;
  readonly maxConcurrentCalls: number;
  /** How many of them outbound calls never take. */
  readonly reservedForInbound: number;
  /** Null: the carrier's own. */
  readonly callsPerSecond: number | null;
  readonly dialDeadlineSeconds: number;
  /** Who may be called, and when. */
  readonly policy: PolicyRules;
  readonly retention: Retention;
  readonly recordingUrlTtlSeconds: number;
  readonly drainTimeoutSeconds: number;
  readonly telephonyAllowUnsigned: boolean;
  /** The carriers outside of this process that can be used. */
  readonly carriers: readonly ConfiguredCarrier[];
  /** The name of the one for outbound calls. */
  readonly usualCarrier: string;
  /** Whether the carrier's voice greets whoever calls in, before the agent does. */
  readonly carrierGreets: boolean;
  readonly metricsToken: string | null;
  readonly speechThreads: number;
  readonly dictationThreads: number;
  readonly demo: boolean;
  readonly sandboxLedger: string | null;
  readonly sandboxKind: SandboxKind;
  readonly sandboxFaults: SandboxFaults;
  /** Folder of personas of the operator's own; null for none. */
  readonly sandboxPersonasDir: string | null;
  /** Whether /docs, /redoc and /openapi.json are served (Interface: Runtime settings). */
  readonly servesDocs: boolean;
  /** What an operator should know though it does not keep the service from starting. */
  readonly warnings: readonly string[];
}

export interface JwtConfig {
  jwksUrl: string;
  issuer: string;
  audience: string;
  workspaceClaim: string;
}

/**
 * The configuration that an environment asks for, in three steps: every variable is read by itself, then what they
 * mean together is decided, then the result is frozen.
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(environment: Environment): Config {
  const problems: SettingProblem[] = [];
  const settings = readSettings(environment, problems);
  const carriers = readCarriers(environment, problems);
  problems.push(...conflictsOf(settings), ...usualCarrierProblems(settings.CARRIER, carriers));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(decide(settings as Settings, carriers));
}

/** The environment with what the file `.env` in `folder` adds; a variable that is really set wins, by either name. */
export function withDotEnv(environment: Environment, folder: string): Environment {
  try {
    const written = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    for (const [name, { alias }] of Object.entries<Setting>(SETTINGS))
      if (alias && environment[alias]) delete written[name];
    return { ...written, ...environment };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return environment;
    throw new ConfigError([{ name: '.env', why: `cannot be read: ${inWords(error)}` }]);
  }
}

/** Where a domain is reached: encrypted, unless it is this very machine. */
export function addressesOf(serverDomain: string): Pick<Config, 'publicUrl' | 'streamUrl'> {
  const secure = isThisMachine(serverDomain) ? '' : 's';
  return {
    publicUrl: `http${secure}://${serverDomain}`,
    streamUrl: `ws${secure}://${serverDomain}/ws/stream`,
  };
}

function readSettings(environment: Environment, problems: SettingProblem[]): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    // A variable set to nothing counts as not set: that is how compose files and `.env` templates leave one out.
    const said = environment[name]?.trim() || (setting.alias && environment[setting.alias]?.trim());
    const given = said || setting.fallback;
    if (given === null) {
      values[name] = null;
      continue;
    }
    const result = setting.schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push({ name, why: whyOf(setting, given, result.error.issues[0]?.message) });
  }
  return values;
}

/** An address with a user has a password, too, more often than not. */
const NAMES_A_USER = /\/\/[^/]*@/;

function whyOf(setting: Setting, given: string, message = 'is not valid'): string {
  const isSecret = setting.secret || NAMES_A_USER.test(given);
  return isSecret ? message : `${message}; it is ${JSON.stringify(given)}`;
}

/** What cannot be asked for together. A setting that could not be read takes no part. */
function conflictsOf(settings: Partial<Settings>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const jwt = ['JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const;
  if (jwt.some((name) => settings[name])) {
    for (const name of jwt) {
      if (settings[name] === null)
        problems.push({ name, why: `must be set too: ${jwt.join(', ')} go together` });
    }
  }
  if (settings.Environment !== 'production') return problems;
  if (settings.TELEPHONY_ALLOW_UNSIGNED) {
    problems.push({
      name: 'TELEPHONY_ALLOW_UNSIGNED',
      why: 'must not be on in production: anybody could fake calls',
    });
  }
  if (settings.DEMO) problems.push({ name: 'DEMO', why: 'must not be on in production' });
  if (settings.JWT_JWKS_URL?.startsWith('http:') && !isThisMachine(new URL(settings.JWT_JWKS_URL).host)) {
    problems.push({
      name: 'JWT_JWKS_URL',
      why: 'must be https:// in production: keys fetched without encryption can be replaced on the way',
    });
  }
  return problems;
}

function decide(settings: Settings, carriers: readonly ConfiguredCarrier[]): Config {
  const isLocal = settings.Environment === 'local';
  const dataDir = resolve(settings.DATA_DIR);
  return {
    environment: settings.Environment,
    host: settings.HOST ?? (isLocal ? '127.0.0.1' : '0.0.0.0'),
    port: settings.PORT,
    domainFollowsPort: settings.SERVER_DOMAIN === null,
    ...addressesOf(settings.SERVER_DOMAIN ?? `localhost:${settings.PORT}`),
    logLevel: settings.LOG_LEVEL,
    corsOrigins: settings.CORS_ORIGINS,
    secureHeaders: settings.SECURE_HEADERS,
    trustProxy: settings.TRUST_PROXY,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE || null,
    webhookTimeoutSeconds: settings.Timeout,
    webhookAllowCidrs: settings.WEBHOOK_ALLOW_CIDRS ?? (isLocal ? LOOPBACK_NETWORKS : []),
    webhookCaFile: settings.WEBHOOK_CA_FILE && resolve(settings.WEBHOOK_CA_FILE),
    dataDir,
    databaseUrl: databaseUrlOf(settings.DATABASE_URL, dataDir),
    recordingsDir: join(dataDir, 'recordings'),
    apiKeys: settings.API_KEYS ?? [],
    makesFirstKey: isLocal && settings.API_KEYS === null && settings.JWT_JWKS_URL === null,
    jwt: jwtOf(settings),
    defaultTimezone: settings.DEFAULT_TIMEZONE,
    timeZoneVersion: versions['tz'] ?? 'unknown',
    defaultRegion: settings.DEFAULT_REGION ?? undefined,
    defaultFromNumber: settings.DEFAULT_FROM_NUMBER,
    maxConcurrentCalls: settings.MAX_CONCURRENT_CALLS,
    reservedForInbound: Math.floor((settings.MAX_CONCURRENT_CALLS * settings.INBOUND_SHARE_PERCENT) / 100),
    callsPerSecond: settings.CALLS_PER_SECOND,
    dialDeadlineSeconds: settings.DIAL_DEADLINE_SECONDS,
    policy: policyOf(settings),
    retention: readRetention(settings),
    recordingUrlTtlSeconds: settings.RECORDING_URL_TTL,
    drainTimeoutSeconds: settings.DRAIN_TIMEOUT_SECONDS,
    telephonyAllowUnsigned: settings.TELEPHONY_ALLOW_UNSIGNED,
    carriers,
    usualCarrier: settings.CARRIER,
    carrierGreets: settings.GREETING === 'carrier',
    metricsToken: settings.METRICS_TOKEN,
    speechThreads: settings.SPEECH_THREADS ?? Math.max(1, availableParallelism() - 1),
    dictationThreads: settings.DICTATION_THREADS,
    demo: settings.DEMO ?? isLocal,
    sandboxKind: settings.SANDBOX_KIND,
    sandboxFaults: settings.SANDBOX_FAULTS ?? {},
    sandboxLedger: settings.SANDBOX_LEDGER && resolve(settings.SANDBOX_LEDGER),
    sandboxPersonasDir: settings.SANDBOX_PERSONAS_DIR && resolve(settings.SANDBOX_PERSONAS_DIR),
    servesDocs: isLocal,
    warnings: warningsOf(settings),
  };
}

function databaseUrlOf(given: string | null, dataDir: string): string {
  if (given === null) return `sqlite:${join(dataDir, 'callwright.db')}`;
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(given)?.[1];
  return path === undefined ? given : `sqlite:${resolve(path)}`;
}

function policyOf(settings: Settings): PolicyRules {
  const caps = [
    { attempts: settings.ATTEMPTS_PER_DAY, hours: 24 },
    { attempts: settings.ATTEMPTS_PER_WEEK, hours: 24 * 7 },
  ];
  return {
    mode: settings.COMPLIANCE_MODE,
    window: { ...settings.CALLING_HOURS, days: daysMask(settings.CALLING_DAYS), timezone: null },
    isWindowBinding: false,
    caps: caps.filter((cap) => cap.attempts > 0),
    countries: settings.ALLOWED_COUNTRIES,
    fallbackZone: settings.DEFAULT_TIMEZONE,
  };
}

function jwtOf(settings: Settings): JwtConfig | null {
  const { JWT_JWKS_URL: jwksUrl, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (jwksUrl === null || issuer === null || audience === null) return null;
  return { jwksUrl, issuer, audience, workspaceClaim: settings.JWT_WORKSPACE_CLAIM };
}

function warningsOf(settings: Settings): string[] {
  const warnings: string[] = [];
  if (settings.CARRIER !== 'sandbox' && settings.DEFAULT_FROM_NUMBER === null) {
    warnings.push('DEFAULT_FROM_NUMBER is not set: carriers refuse calls that name no number of yours.');
  }
  if (settings.Environment !== 'production') return warnings;
  if (settings.CARRIER === 'sandbox') {
    warnings.push('CARRIER is sandbox: outbound calls are simulated, and no telephone rings.');
  }
  if (settings.SERVER_DOMAIN === null || isThisMachine(settings.SERVER_DOMAIN)) {
    warnings.push(
      'SERVER_DOMAIN names this machine only: carriers cannot reach it, nor can readers of recordings.',
    );
  }
  if (settings.API_KEYS === null && settings.JWT_JWKS_URL === null) {
    warnings.push(
      'Neither API_KEYS nor JWT_JWKS_URL is set: only keys made by `callwright keys create` are accepted.',
    );
  }
  if (!settings.SECURE_HEADERS) warnings.push('SECURE_HEADERS is off: something in front must add them.');
  return warnings;
}

function isThisMachine(domain: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(domain);
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
