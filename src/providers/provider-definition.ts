/**
 * The registration of a provider: its settings and what it offers (language models, recognisers, speech-to-speech
 * models, voices). A provider's folder exports its {@link ProviderDefinition}, or several; `registry.ts` lists them.
 */
import type { ModelSource } from '#dialogue/llm/model-source.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import type { OpenSocket } from '#outbound-http/socket.js';
import type { Realtime } from '#speech/realtime.js';
import type { Stt } from '#speech/stt.js';
import type { VoiceWire } from './voices/voice-wire.js';
import type { ConnectSocket } from './wire/socket.js';

/**
 * One environment variable of a provider. Its name is the provider's prefix, `_`, and its key in the table of settings.
 */
export interface ProviderSetting {
  /** The explanation in docs/settings.md. */
  docs: string;
  /** The value if it is not set; null for none. */
  fallback: string | null;
  /** The value is never shown, not even in an error. */
  secret?: true;
  /** Names used by other software, read if the variable itself is not set. */
  aliases?: readonly string[];
}

/** The values of a provider's variables, by key. */
export type ProviderSettings<Key extends string = string> = Readonly<Record<Key, string | null>>;

/** A provider: a vendor, or a kind of server, with its settings and what it offers. */
export interface ProviderDefinition {
  /** The name that agents use. */
  readonly name: string;
  /** The prefix of its environment variables. */
  readonly prefix: string;
  readonly settings: Readonly<Record<string, ProviderSetting>>;
  /** Alternative sets of required settings: one complete set is enough. Empty if none are required. */
  readonly configuredBy: readonly (readonly string[])[];
  readonly model?: ModelFactory;
  readonly stt?: SttFactory;
  readonly realtime?: RealtimeFactory;
  readonly tts?: TtsFactory;
}

/** The dependencies that `Models` passes to a provider. */
export interface ProviderParts {
  clock: Clock;
  ids: Ids;
  /** For addresses configured by the operator. */
  fetch: typeof fetch;
  /** For addresses named by customers: refuses addresses in the service's own network (SSRF). */
  guardedFetch: typeof fetch;
}

/**
 * The workspace that owns a customer's own model server. Requests to that server use the workspace's secrets and
 * signature, which are not part of the agent.
 */
export interface ServerOwner {
  workspace: string;
  /** The secrets of these names; unknown names are missing in the result. */
  secrets(names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Signature headers for a body, as for webhooks; empty if the customer has no signing secret. */
  sign(message: { id: string; body: string }): Promise<Readonly<Record<string, string>>>;
}

/** The model that an agent names, and how requests to it are sent. */
export interface ModelChoice {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
  /** The address of a customer's own server. */
  url?: string;
  /** Sent with every request; for a customer's own server they may contain secret references. */
  headers?: Readonly<Record<string, string>>;
  /** The owner of the server. Without an owner, requests have no secrets and no signature. */
  owner?: ServerOwner;
  /** Additional fields of the request body; they override those that the service sets. */
  extraBody?: Readonly<Record<string, unknown>>;
}

/** Language models of a provider. */
export interface ModelFactory {
  /** Null if the agent has to name a model. */
  defaultModel(settings: ProviderSettings): string | null;
  /** True if each agent has to name its server in `model_settings.url`. */
  needsUrl?: true;
  /**
   * Makes the source of a model's answers. Opens no connection; the provider's package is loaded at the first request.
   */
  open(model: string, choice: ModelChoice, settings: ProviderSettings, parts: ProviderParts): ModelSource;
  /** Loads the provider's package ahead of the first request; rejects if that fails. */
  load(): Promise<unknown>;
  /** A free request that verifies the key; null if the provider has none. */
  checkRequest(settings: ProviderSettings): CheckRequest | null;
}

/** A request for a provider's list of models, which also verifies the key. */
export interface CheckRequest {
  url: string;
  headers: Record<string, string>;
  /** Present if the list has other names than requests use, so that a model cannot be looked up in it. */
  hasOtherNames?: true;
}

/** The dependencies that `SpeechProviders` passes to recognisers and speech-to-speech models. */
export interface SpeechParts extends Pick<ProviderParts, 'clock' | 'ids' | 'fetch'> {
  log: Log;
  /** Opens a WebSocket to an address configured by the operator. */
  connect: ConnectSocket;
}

/** Recognisers of a provider. */
export interface SttFactory {
  /** Codes of the languages that it recognises; null for any. */
  readonly languages: readonly string[] | null;
  /** True if it reports which of several languages was spoken. */
  tellsLanguage(settings: ProviderSettings): boolean;
  /** Called once for all calls; opens no connection. */
  open(settings: ProviderSettings, parts: SpeechParts): Stt;
}

/**
 * Speech-to-speech models of a provider: agents name it as their `ai_provider`. The registry has no such provider yet.
 */
export interface RealtimeFactory {
  /** Null if the agent has to name a model. */
  defaultModel(settings: ProviderSettings): string | null;
  /** Called once for all calls with this model; opens no connection. */
  open(model: string, settings: ProviderSettings, parts: SpeechParts): Realtime;
}

/** A voice as listed by its vendor. */
export interface VoiceListing {
  /** The name that agents use. */
  id: string;
  name: string;
  /** Null if unknown, or if the voice speaks several languages. */
  language: string | null;
}

/** The dependencies that `Voices` passes to a provider of voices. */
export interface VoiceParts extends Pick<ProviderParts, 'clock' | 'fetch'> {
  /** Opens a WebSocket to an address configured by the operator. */
  openSocket: OpenSocket;
}

/** Voices of a provider. */
export interface TtsFactory {
  /** Voice and model for agents that name none; null for none. */
  defaults(settings: ProviderSettings): { voice: string | null; model: string | null };
  /** Codes of the languages that it speaks; omitted if that depends on the voice. */
  readonly languages?: readonly string[];
  /** True if a voice must be named. */
  readonly needsVoice?: true;
  /** Called once for all calls; opens no connection. */
  open(settings: ProviderSettings, parts: VoiceParts): VoiceWire;
  /** The vendor's voices. @throws SpeechError */
  listVoices(settings: ProviderSettings, parts: VoiceParts, signal: AbortSignal): Promise<VoiceListing[]>;
}

/** The name of the environment variable of a setting, such as `OPENAI_API_KEY`. */
export function providerVariable(provider: Pick<ProviderDefinition, 'prefix'>, key: string): string {
  return `${provider.prefix}_${key}`;
}

/** True if a provider can be used with these settings. */
export function isConfigured(provider: ProviderDefinition, settings: ProviderSettings): boolean {
  if (provider.configuredBy.length === 0) return true;
  return provider.configuredBy.some((keys) => keys.every((key) => isSet(provider, settings, key)));
}

/**
 * The environment variables that must be set before a provider can be used, for its first set of `configuredBy`; empty
 * if it can be used already.
 */
export function missingSettings(provider: ProviderDefinition, settings: ProviderSettings): string[] {
  if (isConfigured(provider, settings)) return [];
  const [keys = []] = provider.configuredBy;
  return keys.filter((key) => !isSet(provider, settings, key)).map((key) => providerVariable(provider, key));
}

/** True if the operator has set a setting to a value other than its default. */
function isSet({ settings: table }: ProviderDefinition, settings: ProviderSettings, key: string): boolean {
  const value = settings[key];
  return value !== undefined && value !== null && value !== table[key]?.fallback;
}

/** The setting for an account's limit of concurrent sentences, for the vendors of voices that have one. */
export function concurrencySetting(vendor: string): ProviderSetting {
  return {
    docs: `Sentences that ${vendor} may speak at once, by your plan; others wait for their turn. When empty: no limit.`,
    fallback: null,
  };
}

/** The settings of most providers of language models: key, address, and the model for agents that name none. */
export function commonSettings(
  vendor: string,
  { baseUrl, model }: { baseUrl: string | null; model: string | null },
): Record<'API_KEY' | 'BASE_URL' | 'MODEL', ProviderSetting> {
  return {
    API_KEY: { docs: `API key of ${vendor}.`, fallback: null, secret: true },
    BASE_URL: { docs: `Address of the API of ${vendor}, or of a proxy of it.`, fallback: baseUrl },
    MODEL: { docs: `Model of ${vendor} for agents that name none.`, fallback: model },
  };
}
