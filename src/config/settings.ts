import { z } from 'zod';
import { LOG_LEVELS } from '#kernel/log/log.js';
import { E164 } from '#kernel/input/phone-number.js';
import { isTimeZone } from '#kernel/time/time-zone.js';
import { DAYS } from '#policy/hours/call-window.js';
import { COMPLIANCE_MODES, MAX_CAP_ATTEMPTS } from '#policy/deciding/policy-rules.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { SANDBOX_KINDS, type SandboxKind } from '#telephony/sandbox/sandbox-kinds.js';
import type { Setting } from './setting.js';
import {
  choice,
  country,
  databaseUrl,
  faults,
  file,
  flag,
  folder,
  holdSound,
  hours,
  list,
  location,
  networks,
  origin,
  proxies,
  secret,
  serverDomain,
  text,
  url,
  wholeNumber,
} from './setting-forms.js';

// The table of all settings, except those of carriers and providers. `readConfig` reads the environment by it, and
// docs/settings.md and `.env.example` are made from it.

/** The type of a setting's parsed value. */
type ValueOf<Row> =
  Row extends Setting<infer Value> ? (Row['fallback'] extends null ? Value | null : Value) : never;

/** The parsed values of the settings in {@link SETTINGS}; null for a setting without a value and without a default. */
export type Settings = { [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> };

/**
 * The settings, in the order of the documentation. `Environment` and `Timeout` can also be set in capitals (`aliases`).
 */
export const SETTINGS = {
  PORT: {
    schema: wholeNumber(0, 65_535),
    fallback: '8010',
    docs: 'Port to listen on; 0 takes any free one.',
  },
  HOST: {
    schema: text(/^[\w.:-]+$/, 'must be an address or a host name'),
    fallback: null,
    docs: 'Address to listen on. When empty: 127.0.0.1 in local, 0.0.0.0 (all interfaces) in production.',
  },
  NODE_ADDRESS: {
    schema: text(/^[\w.:[\]-]+:\d+$/, 'must be a host and a port'),
    fallback: null,
    docs: 'Where the other processes over the same PostgreSQL reach this one, as host:port; they pass sockets on that belong to its calls. When empty: HOST and PORT, or this machine.',
  },
  Environment: {
    schema: choice(['local', 'production']),
    fallback: 'local',
    aliases: ['ENVIRONMENT'],
    docs: 'local or production. Only local serves /docs, /redoc and /openapi.json, creates a first API key and runs the demo.',
  },
  SERVER_DOMAIN: {
    schema: serverDomain,
    fallback: null,
    docs: 'Public domain of the service, without a scheme; addresses use https and wss unless it is this machine. When empty: localhost and the port.',
  },
  LOG_LEVEL: { schema: choice(LOG_LEVELS), fallback: 'INFO', docs: `One of ${LOG_LEVELS.join(', ')}.` },
  CORS_ORIGINS: {
    schema: list(origin),
    fallback: '*',
    docs: 'Origins that browsers may call from, separated by commas; * for all.',
  },
  SECURE_HEADERS: {
    schema: flag,
    fallback: 'true',
    docs: 'Whether responses carry security headers.',
  },
  Timeout: {
    schema: wholeNumber(1, 300),
    fallback: '10',
    aliases: ['TIMEOUT'],
    docs: 'Seconds that a webhook receiver has to answer.',
  },
  WEBHOOK_ALLOW_CIDRS: {
    schema: networks,
    fallback: null,
    docs: 'Private networks (CIDR) that webhooks may be sent to, separated by commas; none for no network. When empty: loopback in local, none in production.',
  },
  WEBHOOK_CA_FILE: {
    schema: file,
    fallback: null,
    docs: 'PEM file of certificates to trust in webhook receivers, in addition to the usual ones.',
  },
  DATA_DIR: { schema: location, fallback: './data', docs: 'Folder of the database and the recordings.' },
  DATABASE_URL: {
    schema: databaseUrl,
    fallback: null,
    secret: true,
    docs: 'postgres://user:password@host/database, or sqlite:<file>. When empty: callwright.db in DATA_DIR.',
  },
  API_KEYS: {
    schema: list(secret(16)),
    fallback: null,
    secret: true,
    docs: 'API keys with every right, valid from the start, separated by commas; at least 16 characters each.',
  },
  JWT_JWKS_URL: {
    schema: url,
    fallback: null,
    docs: "The identity provider's key set; with JWT_ISSUER and JWT_AUDIENCE.",
  },
  JWT_ISSUER: {
    schema: text(/^\S+$/, 'must not contain spaces'),
    fallback: null,
    docs: 'The `iss` that tokens must carry.',
  },
  JWT_AUDIENCE: {
    schema: text(/^\S+$/, 'must not contain spaces'),
    fallback: null,
    docs: 'The `aud` that tokens must carry.',
  },
  JWT_WORKSPACE_CLAIM: {
    schema: text(/^\S+$/, 'must not contain spaces'),
    fallback: 'workspace',
    docs: 'The claim that names the workspace of a token; without it the workspace is `default`.',
  },
  DEFAULT_TIMEZONE: {
    schema: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
    fallback: 'UTC',
    docs: 'IANA time zone of calls, batches and schedules that name none.',
  },
  PLANNING_HORIZON_DAYS: {
    schema: wholeNumber(1, 36_500),
    fallback: '3653',
    docs: 'How many days ahead calls, batches and schedules may be planned; ten years by default, since planning tools write such dates.',
  },
  UNCONFIGURED_PROVIDERS: {
    schema: choice(['builtin', 'refuse']),
    fallback: null,
    docs: 'What is done with calls whose agent names a provider that is not configured: builtin (the built-in one takes its place) or refuse. When empty: builtin in local, refuse in production.',
  },
  NUMBER_NOT_ALLOWED: {
    schema: choice(['call_fails', 'refuse']),
    fallback: 'call_fails',
    docs: 'What becomes of a request to call a number that is suppressed or never called: call_fails (a call is kept that has failed, with the reason) or refuse (403, as with the header Prefer: handling=strict).',
  },
  DEFAULT_REGION: {
    schema: country,
    fallback: null,
    docs: 'Country (such as US) in which phone numbers without + are read. When empty: a + is put in front of them.',
  },
  DEFAULT_FROM_NUMBER: {
    schema: text(E164, 'must be an E.164 number such as +14155550100'),
    fallback: null,
    docs: "Caller id (E.164) of calls that name none. When empty: the sandbox network's own.",
  },
  MAX_CONCURRENT_CALLS: {
    schema: wholeNumber(1, 100_000),
    fallback: '50',
    docs: 'Calls that may be live in this process at once; further ones wait in the queue, those of batches behind the others.',
  },
  INBOUND_SHARE_PERCENT: {
    schema: wholeNumber(0, 90),
    fallback: '10',
    docs: 'Percentage of these calls that is kept free for incoming calls.',
  },
  CALLS_PER_SECOND: {
    schema: wholeNumber(1, 10_000),
    fallback: null,
    docs: 'Calls that this process may start per second. When empty: as many as the carrier allows.',
  },
  DIAL_DEADLINE_SECONDS: {
    schema: wholeNumber(3, 300),
    fallback: '30',
    docs: 'Seconds within which the carrier must have been asked to dial a call; after that, another process may settle what became of it.',
  },
  COMPLIANCE_MODE: {
    schema: choice(COMPLIANCE_MODES),
    fallback: 'warn',
    docs: 'What calling hours and attempt limits do: off (nothing), warn (noted only) or enforce. The suppression list and the ban on premium-rate numbers always apply.',
  },
  CALLING_HOURS: {
    schema: hours,
    fallback: '09:00-20:00',
    docs: "Hours in which people may be called, in the callee's local time; 00:00-24:00 for always.",
  },
  CALLING_DAYS: {
    schema: list(choice(DAYS)),
    fallback: 'MON,TUE,WED,THU,FRI,SAT',
    docs: 'Days on which people may be called, separated by commas.',
  },
  ATTEMPTS_PER_DAY: {
    schema: wholeNumber(0, MAX_CAP_ATTEMPTS),
    fallback: '3',
    docs: 'How often a number may be dialled within 24 hours; 0 for no limit.',
  },
  ATTEMPTS_PER_WEEK: {
    schema: wholeNumber(0, MAX_CAP_ATTEMPTS),
    fallback: '7',
    docs: 'How often a number may be dialled within 7 days; 0 for no limit.',
  },
  ALLOWED_COUNTRIES: {
    schema: list(country),
    fallback: null,
    docs: 'Countries that may be called, such as US,GB. When empty: all.',
  },
  DECISION_RETENTION_DAYS: {
    schema: wholeNumber(7, 36_500),
    fallback: '365',
    docs: 'Days for which the reasons why a number was called, or not, are kept; at least 7, which attempt limits look back.',
  },
  EVENT_RETENTION_DAYS: {
    schema: wholeNumber(7, 36_500),
    fallback: '90',
    docs: 'Days for which events and their deliveries to webhooks are kept, shown and can be sent again; those on their way are kept for longer. At least 7.',
  },
  RECORDING_RETENTION_DAYS: {
    schema: wholeNumber(1, 36_500),
    fallback: null,
    docs: 'Days after which recordings are deleted. When empty: kept until a client deletes them.',
  },
  CALL_RETENTION_DAYS: {
    schema: wholeNumber(1, 36_500),
    fallback: null,
    docs: 'Days after their end when calls are erased, as by DELETE /api/calls/{call_id} and with their logs, scheduled calls removed, and old runs of those that go on. When empty: only by clients.',
  },
  RATE_LIMIT_PER_MINUTE: {
    schema: wholeNumber(0, 100_000_000),
    fallback: '60000',
    docs: 'Requests that a credential may make in a minute; 0 for no limit.',
  },
  RECORD_STORAGE: {
    schema: choice(['local', 's3']),
    fallback: 'local',
    docs: 'Where recordings are kept whose call says nothing else: local (DATA_DIR) or s3 (object storage).',
  },
  S3_ENDPOINT: {
    schema: url,
    fallback: null,
    docs: 'Object storage: its address without the bucket, such as https://s3.eu-central-1.amazonaws.com.',
  },
  S3_REGION: {
    schema: text(/^[\w-]+$/, 'must be the name of a region'),
    fallback: 'us-east-1',
    docs: 'Object storage: the region; auto for Cloudflare R2.',
  },
  S3_BUCKET: {
    schema: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
    fallback: null,
    docs: 'Object storage: the bucket. It has to be there, and closed to the public.',
  },
  S3_ACCESS_KEY_ID: {
    schema: text(/^\S+$/, 'must be an access key id'),
    fallback: null,
    docs: 'Object storage: the id of a key that may write, read and delete objects of the bucket.',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: secret(8),
    fallback: null,
    secret: true,
    docs: 'Object storage: the secret of that key.',
  },
  S3_PREFIX: {
    schema: text(/^[\w.-][\w./-]*$/, 'must be the beginning of keys, such as callwright/'),
    fallback: null,
    docs: 'Object storage: what the keys of recordings begin with. When empty: nothing.',
  },
  S3_STYLE: {
    schema: choice(['path', 'host']),
    fallback: 'path',
    docs: 'Object storage: whether the bucket stands in the path of addresses or in their host.',
  },
  S3_ENCRYPTION: {
    schema: choice(['AES256', 'aws:kms']),
    fallback: null,
    docs: 'Object storage: server-side encryption asked for with each recording. When empty: as the bucket says.',
  },
  S3_PUBLIC: {
    schema: flag,
    fallback: 'on',
    docs: 'Whether clients can reach the object storage: recordings are then read from there, by signed addresses; off sends them through the service.',
  },
  S3_MAX_WAITING_MB: {
    schema: wholeNumber(1, 100_000_000),
    fallback: '10000',
    docs: 'Object storage: megabytes of recordings that may wait on the disk while the storage is away. From there on new calls go on unrecorded, and say so.',
  },
  RECORDING_URL_TTL: {
    schema: wholeNumber(10, 604_800),
    fallback: '3600',
    docs: 'Seconds for which a signed recording URL is valid.',
  },
  DRAIN_TIMEOUT_SECONDS: {
    schema: wholeNumber(0, 14_400),
    fallback: '30',
    docs: 'Seconds for which live calls may continue after SIGTERM before they are ended.',
  },
  CARRIER: {
    schema: choice(['sandbox', ...REMOTE_CARRIERS.map(({ name }) => name)]),
    fallback: 'sandbox',
    docs: 'The carrier of outbound calls: sandbox (the simulated network), or one that is set up (docs/carriers.md). Incoming calls are taken from every carrier that is set up.',
  },
  GREETING: {
    schema: choice(['carrier', 'agent']),
    fallback: 'carrier',
    docs: "Who speaks first on an incoming call: carrier (the carrier's voice, at once) or agent.",
  },
  TELEPHONY_ALLOW_UNSIGNED: {
    schema: flag,
    fallback: 'false',
    docs: 'Whether carrier webhooks are accepted without a signature or credential. Refused in production.',
  },
  SECRETS_KEY: {
    schema: secret(16),
    fallback: null,
    secret: true,
    docs: "Encrypts customers' secrets; at least 16 characters. When empty: secrets.key in DATA_DIR, made at the first use.",
  },
  METRICS_TOKEN: {
    schema: secret(16),
    fallback: null,
    secret: true,
    docs: 'A bearer token for /metrics and nothing else; at least 16 characters.',
  },
  TRUST_PROXY: {
    schema: proxies,
    fallback: 'off',
    docs: 'Reverse proxies in front of the service: how many, or their addresses separated by commas; off for none.',
  },
  SPEECH_THREADS: {
    schema: wholeNumber(1, 256),
    fallback: null,
    docs: 'Threads for speech recognition and synthesis. When empty: one less than the machine has cores, at least one.',
  },
  DICTATION_THREADS: {
    schema: wholeNumber(0, 64),
    fallback: '1',
    docs: 'Threads on which the built-in recogniser transcribes free answers, one caller at a time each; about 150 MB each once an open question has been asked. With 0, only the phrases that it expects are recognised.',
  },
  AI_SDK_PROVIDERS: {
    schema: list(text(/^(@[\w.-]+\/)?[\w.-]+$/, 'must be names of npm packages')),
    fallback: null,
    docs: 'Further packages of the AI SDK that are installed beside the service, such as @ai-sdk/amazon-bedrock, separated by commas; agents name the last part (docs/providers.md).',
  },
  CONSOLE: {
    schema: flag,
    fallback: 'on',
    docs: 'Whether the console is served at /console, with its sign-in.',
  },
  DEMO: {
    schema: flag,
    fallback: null,
    docs: 'Whether a demonstration call is placed and shown at start. When empty: on in local, on the sandbox network. Refused in production, and with another carrier.',
  },
  SANDBOX_LEDGER: {
    schema: location,
    fallback: null,
    docs: 'File to which the sandbox network appends every call that it is asked to place; for tests.',
  },
  SANDBOX_KIND: {
    schema: choice(Object.keys(SANDBOX_KINDS) as SandboxKind[]),
    fallback: 'key_and_look_up',
    docs: 'The kind of carrier that the sandbox network imitates: key (a repeated reference is not dialled again), look_up (calls are found by our reference), key_and_look_up or neither.',
  },
  SANDBOX_FAULTS: {
    schema: faults,
    fallback: null,
    docs: 'Faults of the sandbox network: latency_ms, report_delay_ms (milliseconds), lost_answers, duplicated_reports, reordered_reports (shares from 0 to 1).',
  },
  HOLD_SOUND: {
    schema: holdSound,
    fallback: 'tone',
    docs: 'What callers on hold hear: tone, silence, or a WAV file (16-bit PCM or G.711 μ-law), which is repeated.',
  },
  HOLD_LIMIT_SECONDS: {
    schema: wholeNumber(10, 3_600),
    fallback: '300',
    docs: 'How long a caller may be on hold; then the agent speaks to them again.',
  },
  PRICES_FILE: {
    schema: file,
    fallback: null,
    docs: 'YAML file with your prices, for the cost of calls (examples/prices.yaml). Without it only what is free is known.',
  },
  LANGUAGES_DIR: {
    schema: folder,
    fallback: null,
    docs: 'Folder of JSON files with languages of your own, or additions to those that the service comes with (docs/agents.md).',
  },
  SANDBOX_PERSONAS_DIR: {
    schema: folder,
    fallback: null,
    docs: 'Folder of your own personas for the sandbox network, one JSON or YAML file each (docs/sandbox.md).',
  },
} as const satisfies Record<string, Setting>;
