import type { CountryCode } from 'libphonenumber-js';
import type { LogLevel } from '#kernel/log/log.js';
import type { UnconfiguredProviders } from '#providers/choose-providers.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { SandboxFaults } from '#telephony/sandbox/faults.js';
import type { SandboxKind } from '#telephony/sandbox/sandbox-kinds.js';
import type { ConfiguredCarrier } from './carrier-settings.js';
import type { SettingInForce } from './in-force.js';
import type { ObjectStorageConfig } from './object-storage.js';
import type { ProvidersConfig } from './provider-settings.js';
import type { Retention } from './decide.js';

/** The configuration of the process, as `readConfig` derives it from the settings; frozen. */
export interface Config {
  readonly environment: 'local' | 'production';
  readonly host: string;
  /** Host and port by which other processes reach this one; null: the address on which it listens. */
  readonly nodeAddress: string | null;
  /** The port to listen on; 0: the system chooses one. */
  readonly port: number;
  /** True if {@link publicUrl} follows the port in use, because no domain is set. */
  readonly domainFollowsPort: boolean;
  /** Public address of the API, without a trailing slash. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  readonly corsOrigins: readonly string[];
  readonly secureHeaders: boolean;
  /** The value for Fastify's `trustProxy`. */
  readonly trustProxy: false | number | string[];
  /** The limit of requests per credential; null for no limit. */
  readonly rateLimitPerMinute: number | null;
  readonly webhookTimeoutSeconds: number;
  /** Private networks to which webhooks may be sent. */
  readonly webhookAllowCidrs: readonly string[];
  /** Additional trusted certificates of webhook receivers. */
  readonly webhookCaFile: string | null;
  readonly dataDir: string;
  /** `sqlite:<absolute path>` or `postgres://…`. */
  readonly databaseUrl: string;
  readonly recordingsDir: string;
  readonly apiKeys: readonly string[];
  /** True if a first API key is created and shown for an empty database: in `local`, without other credentials. */
  readonly makesFirstKey: boolean;
  readonly jwt: JwtConfig | null;
  readonly refusesForbiddenNumbers: boolean;
  readonly unconfiguredProviders: UnconfiguredProviders;
  readonly defaultTimezone: string;
  /** How many days ahead calls may be planned. */
  readonly planningHorizonDays: number;
  /** Version of the runtime's time-zone data; plans made with another version are recomputed. */
  readonly timeZoneVersion: string;
  /** Region of national numbers; undefined if they are not accepted. */
  readonly defaultRegion: CountryCode | undefined;
  /** Null for the carrier's default. */
  readonly defaultFromNumber: string | null;
  readonly maxConcurrentCalls: number;
  /** The number of these calls that is reserved for inbound calls. */
  readonly reservedForInbound: number;
  /** Null for the carrier's default. */
  readonly callsPerSecond: number | null;
  readonly dialDeadlineSeconds: number;
  /** The calling rules. */
  readonly policy: PolicyRules;
  readonly retention: Retention;
  /** Where recordings are stored by default. */
  readonly recordStorage: 'local' | 's3';
  readonly objectStorage: ObjectStorageConfig | null;
  /** Missing settings of the object storage. */
  readonly objectStorageLacks: readonly string[];
  readonly recordingUrlTtlSeconds: number;
  readonly drainTimeoutSeconds: number;
  readonly telephonyAllowUnsigned: boolean;
  /** The configured carriers outside this process. */
  readonly carriers: readonly ConfiguredCarrier[];
  /** Name of the carrier of outbound calls. */
  readonly usualCarrier: string;
  /** True if the carrier's voice greets inbound callers before the agent. */
  readonly carrierGreets: boolean;
  /** Settings of AI providers by provider. */
  readonly providers: ProvidersConfig;
  /** Additional AI SDK packages. */
  readonly aiSdkPackages: readonly string[];
  /** File with the prices of calls; null for none. */
  readonly pricesFile: string | null;
  /** `tone`, `silence`, or the path of a WAV file. */
  readonly holdSound: string;
  readonly holdLimitSeconds: number;
  /** Folder of additional languages, and of additions to the built-in ones. */
  readonly languagesDir: string | null;
  readonly metricsToken: string | null;
  /** Key that encrypts customers' secrets; null for a key in a file of {@link dataDir}. */
  readonly secretsKey: string | null;
  readonly speechThreads: number;
  readonly dictationThreads: number;
  readonly demo: boolean;
  readonly sandboxLedger: string | null;
  readonly sandboxKind: SandboxKind;
  readonly sandboxFaults: SandboxFaults;
  /** Folder of additional personas; null for none. */
  readonly sandboxPersonasDir: string | null;
  /** True if /docs, /redoc and /openapi.json are served. */
  readonly servesDocs: boolean;
  /** True if /console is served. */
  readonly servesConsole: boolean;
  /** All settings with their values, except secrets. */
  readonly settingsInForce: readonly SettingInForce[];
  /** Warnings for the operator that do not prevent a start. */
  readonly warnings: readonly string[];
}

/** Verification of an identity provider's tokens: the keys of its JWKS (RFC 7517) and the required claims. */
export interface JwtConfig {
  jwksUrl: string;
  issuer: string;
  audience: string;
  workspaceClaim: string;
}
