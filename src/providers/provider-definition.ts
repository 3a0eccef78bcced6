import type { ModelSource } from '#dialogue/llm/model-source.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import type { OpenSocket } from '#outbound-http/socket.js';
import type { Realtime } from '#speech/realtime.js';
import type { Stt } from '#speech/stt.js';
import type { VoiceWire } from './voices/voice-wire.js';
import type { ConnectSocket } from './wire/socket.js';

/** One environment variable of a provider; its name is the provider's prefix, `_`, and the key in the table. */
export interface ProviderSetting {
  docs: string;
  /** What holds when it is not set; null when nothing does. */
  fallback: string | null;
  /** It is never shown, not even when it is wrong. */
  secret?: true;
  /** Names that other software reads the same under, read when its own is not set. */
  aliases?: readonly string[];
}

/** What a provider's variables say, by their keys. */
export type ProviderSettings<Key extends string = string> = Readonly<Record<Key, string | null>>;

/** A vendor, or a kind of server: what can be set, and what it offers. */
export interface ProviderDefinition {
  /** As agents name it. */
  readonly name: string;
  /** What its variables begin with. */
  readonly prefix: string;
  readonly settings: Readonly<Record<string, ProviderSetting>>;
  /** Sets of keys, any of which is enough to use the provider; empty where none is needed. */
  readonly configuredBy: readonly (readonly string[])[];
  readonly model?: ModelFactory;
  readonly stt?: SttFactory;
  readonly realtime?: RealtimeFactory;
  readonly tts?: TtsFactory;
}

/** What the service hands to a provider. */
export interface ProviderParts {
  clock: Clock;
  ids: Ids;
  /** For addresses of the operator's. */
  fetch: typeof fetch;
  /** For addresses that customers name: it keeps away from our own network. */
  guardedFetch: typeof fetch;
}

/** The workspace of a customer's own server: what its requests carry that no agent holds. */
export interface ServerOwner {
  workspace: string;
  /** The secrets of these names; those that do not exist are left out. */
  secrets(names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Signature headers for a body, as webhooks have them; none where the customer has no secret for them. */
  sign(message: { id: string; body: string }): Promise<Readonly<Record<string, string>>>;
}

/** Which model is asked for; what an agent says of it. */
export interface ModelChoice {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
  /** Of a customer's own server. */
  url?: string;
  /** Sent with every request; those of a customer's own server may name secrets. */
  headers?: Readonly<Record<string, string>>;
  /** Whose server it is; without one, requests carry no secrets and no signature. */
  owner?: ServerOwner;
  /** Fields of the request's body that the port does not know; they count more than what it says. */
  extraBody?: Readonly<Record<string, unknown>>;
}

/** Language models of a provider. */
export interface ModelFactory {
  /** Null where the agent has to name one. */
  defaultModel(settings: ProviderSettings): string | null;
  /** Whether each agent has to name its server in `model_settings.url`. */
  needsUrl?: true;
  /** Opens nothing yet: packages are loaded with the first request. */
  open(model: string, choice: ModelChoice, settings: ProviderSettings, parts: ProviderParts): ModelSource;
  /** Loads what the first request would have to wait for. */
  load(): Promise<unknown>;
  /** An address that answers whether the key is right, at no cost; null where there is none. */
  checkRequest(settings: ProviderSettings): CheckRequest | null;
}

/** A request for the list of models. */
export interface CheckRequest {
  url: string;
  headers: Record<string, string>;
  /** Its names are other than those that requests use. */
  hasOtherNames?: true;
}

/** What the service hands to a provider of speech. */
export interface SpeechParts extends Pick<ProviderParts, 'clock' | 'ids' | 'fetch'> {
  log: Log;
  /** Opens a WebSocket to an address of the operator's. */
  connect: ConnectSocket;
}

/** Recognisers of a provider. */
export interface SttFactory {
  /** The first letters of the tags of the languages that it recognises; null for those of any. */
  readonly languages: readonly string[] | null;
  /** Whether it tells which of several languages was spoken. */
  tellsLanguage(settings: ProviderSettings): boolean;
  /** Made once for all calls; opens nothing yet. */
  open(settings: ProviderSettings, parts: SpeechParts): Stt;
}

/** Speech-to-speech models of a provider: agents name it as their `ai_provider`. */
export interface RealtimeFactory {
  /** Null where the agent has to name one. */
  defaultModel(settings: ProviderSettings): string | null;
  /** Made once for all calls with this model; opens nothing yet. */
  open(model: string, settings: ProviderSettings, parts: SpeechParts): Realtime;
}

/** A voice as its vendor lists it. */
export interface VoiceListing {
  /** As agents name it. */
  id: string;
  name: string;
  /** Null where the vendor does not say, or the voice speaks many. */
  language: string | null;
}

/** What the service hands to a provider of voices. */
export interface VoiceParts extends Pick<ProviderParts, 'clock' | 'fetch'> {
  /** Opens a WebSocket to an address of the operator's. */
  openSocket: OpenSocket;
}

/** Voices of a provider. */
export interface TtsFactory {
  /** What is used where an agent names nothing; null where nothing is. */
  defaults(settings: ProviderSettings): { voice: string | null; model: string | null };
  /** The letters of the languages that it speaks; left out where it speaks any that its voices know. */
  readonly languages?: readonly string[];
  /** Whether it cannot speak before a voice is named. */
  readonly needsVoice?: true;
  /** Made once for all calls; opens no connection yet. */
  open(settings: ProviderSettings, parts: VoiceParts): VoiceWire;
  /** What the vendor has to offer. @throws SpeechError */
  listVoices(settings: ProviderSettings, parts: VoiceParts, signal: AbortSignal): Promise<VoiceListing[]>;
}

/** The environment variable of a provider's setting: `OPENAI_API_KEY`. */
export function providerVariable(provider: Pick<ProviderDefinition, 'prefix'>, key: string): string {
  return `${provider.prefix}_${key}`;
}

/** Whether a provider can be used with these settings. */
export function isConfigured(provider: ProviderDefinition, settings: ProviderSettings): boolean {
  if (provider.configuredBy.length === 0) return true;
  return provider.configuredBy.some((keys) => keys.every((key) => isSaid(provider, settings, key)));
}

/** The variables without which a provider cannot be used; none for one that can. */
export function missingSettings(provider: ProviderDefinition, settings: ProviderSettings): string[] {
  if (isConfigured(provider, settings)) return [];
  const [keys = []] = provider.configuredBy;
  return keys.filter((key) => !isSaid(provider, settings, key)).map((key) => providerVariable(provider, key));
}

/** Whether the operator has said something other than what holds anyway. */
function isSaid({ settings: table }: ProviderDefinition, settings: ProviderSettings, key: string): boolean {
  const value = settings[key];
  return value !== undefined && value !== null && value !== table[key]?.fallback;
}

/** How many sentences the plan of an account allows at once. */
export function concurrencySetting(vendor: string): ProviderSetting {
  return {
    docs: `Sentences that ${vendor} may speak at once, by your plan; others wait for their turn. When empty: no limit.`,
    fallback: null,
  };
}

/** The settings that nearly every provider has. */
export function usualSettings(
  vendor: string,
  { baseUrl, model }: { baseUrl: string | null; model: string | null },
): Record<'API_KEY' | 'BASE_URL' | 'MODEL', ProviderSetting> {
  return {
    API_KEY: { docs: `API key of ${vendor}.`, fallback: null, secret: true },
    BASE_URL: { docs: `Address of the API of ${vendor}, or of a proxy of it.`, fallback: baseUrl },
    MODEL: { docs: `Model of ${vendor} for agents that name none.`, fallback: model },
  };
}
