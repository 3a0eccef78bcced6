/**
 * A provider as operators and authors of agents see it, in `GET /api/providers`, the console and the warnings of
 * agents. It describes the provider for one kind: models, voices or recognisers.
 */
export interface ProviderListing {
  name: string;
  /** True if it can be used with the service's settings. */
  configured: boolean;
  /** Names of the environment variables that are missing. */
  missing?: readonly string[];
  /** The model for agents that name none. */
  default_model?: string | null;
  /** True if each agent has to name its server. */
  needs_url?: boolean;
  /** True for speech-to-speech models, which need no voice and no recogniser. */
  speech_to_speech?: boolean;
  /** The voice for agents that name none. */
  default_voice?: string | null;
  /** The voices; omitted if they are not known in advance. */
  voices?: readonly string[];
  /** Codes of the supported languages; omitted if any is supported. */
  languages?: readonly string[];
  /** True if the recogniser reports the spoken language, so that a call can change to it. */
  tells_language?: boolean;
}

/** The providers that agents may name, by the field that names them. */
export interface ProviderListings {
  /** Values of `ai_provider`. */
  ai: readonly ProviderListing[];
  /** Values of `voice_provider`. */
  voice: readonly ProviderListing[];
  /** Values of `transcription_provider`. */
  transcription: readonly ProviderListing[];
}
