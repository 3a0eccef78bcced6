/** A provider that this service knows, as operators and agents' authors see it. */
export interface ProviderListing {
  name: string;
  /** Whether it can be used as the service is set up. */
  configured: boolean;
  /** Names of the settings without which it cannot be used. */
  missing?: readonly string[];
  /** The model it uses where none is named. */
  default_model?: string | null;
  /** Each agent has to name its server. */
  needs_url?: boolean;
  /** Its models hear and speak by themselves: they need no voice and no recogniser. */
  speech_to_speech?: boolean;
  /** The voice it uses where none is named. */
  default_voice?: string | null;
  /** The voices it has; left out where they are not known beforehand. */
  voices?: readonly string[];
  /** The languages it can do, as the first letters of their tags; left out where it can do any. */
  languages?: readonly string[];
  /** Whether a recogniser tells which language was spoken, so that a talk may change to it. */
  tells_language?: boolean;
}

/** The providers that agents may name, by what they do. */
export interface ProviderListings {
  /** Values of `ai_provider`. */
  ai: readonly ProviderListing[];
  /** Values of `voice_provider`. */
  voice: readonly ProviderListing[];
  /** Values of `transcription_provider`. */
  transcription: readonly ProviderListing[];
}
