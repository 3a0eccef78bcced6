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
import type { Retention } from './retention.js';

/** Everything that was decided at start; frozen, so nothing can change it afterwards. */
export interface Config {
  readonly environment: 'local' | 'production';
  readonly host: string;
  /** 0 until the system has chosen one. */
  readonly port: number;
  /** Whether {@link publicUrl} follows the port in use, because no domain was set. */
  readonly domainFollowsPort: boolean;
  /** Where the API is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
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
  readonly refusesForbiddenNumbers: boolean;
  readonly unconfiguredProviders: UnconfiguredProviders;
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
  /** Where recordings are kept whose call says nothing else. */
  readonly recordStorage: 'local' | 's3';
  readonly objectStorage: ObjectStorageConfig | null;
  /** Settings without which there is no object storage. */
  readonly objectStorageLacks: readonly string[];
  readonly recordingUrlTtlSeconds: number;
  readonly drainTimeoutSeconds: number;
  readonly telephonyAllowUnsigned: boolean;
  /** The carriers outside of this process that can be used. */
  readonly carriers: readonly ConfiguredCarrier[];
  /** The name of the one for outbound calls. */
  readonly usualCarrier: string;
  /** Whether the carrier's voice greets whoever calls in, before the agent does. */
  readonly carrierGreets: boolean;
  /** What the variables of AI providers say, by the names of the providers. */
  readonly providers: ProvidersConfig;
  /** Further packages of the AI SDK. */
  readonly aiSdkPackages: readonly string[];
  /** What calls cost; null where the operator does not say. */
  readonly pricesFile: string | null;
  /** `tone`, `silence`, or the path of a WAV file. */
  readonly holdSound: string;
  readonly holdLimitSeconds: number;
  /** Further languages, and additions to those that the service comes with. */
  readonly languagesDir: string | null;
  readonly metricsToken: string | null;
  /** What customers' secrets are encrypted with; null for a key in a file of {@link dataDir}. */
  readonly secretsKey: string | null;
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
  /** Whether /console is served. */
  readonly servesConsole: boolean;
  /** Every setting as it holds, without what is secret. */
  readonly settingsInForce: readonly SettingInForce[];
  /** What an operator should know though it does not keep the service from starting. */
  readonly warnings: readonly string[];
}

/** How tokens of an identity provider are verified: with the keys of its JWKS (RFC 7517), by what they must carry. */
export interface JwtConfig {
  jwksUrl: string;
  issuer: string;
  audience: string;
  workspaceClaim: string;
}
