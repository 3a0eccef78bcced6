import { z } from 'zod';
import type { ProviderListing, ProviderListings } from './provider-listing.js';

/** The name of the built-in provider, which replaces any provider that cannot be used. */
export const BUILT_IN = 'builtin';

/** What happens if an agent names a provider that is not configured (`UNCONFIGURED_PROVIDERS`). */
export type UnconfiguredProviders = 'builtin' | 'refuse';

/** The providers that this service offers: plain data, because transactions run in the store's thread. */
export interface KnownProviders extends ProviderListings {
  whenUnconfigured: UnconfiguredProviders;
  /** Codes of the languages for which the service has phrases. */
  languages: readonly string[];
}

/** The providers that an agent names, or a call in their place. They may be unknown or unconfigured. */
export interface NamedProviders {
  ai_provider: string;
  model: string | null;
  voice_provider: string;
  transcription_provider: string | null;
}

/** For each field of an agent that names a provider: the list of {@link ProviderListings} to look the name up in. */
const KIND_OF_FIELD = {
  ai_provider: 'ai',
  voice_provider: 'voice',
  transcription_provider: 'transcription',
} as const satisfies Record<string, keyof ProviderListings>;
/** A field of an agent that names a provider. */
export type ProviderField = keyof typeof KIND_OF_FIELD;

/** The providers of one call, as the call stores and shows them. */
export const ChosenProviders = z
  .object({
    ai: z.string().meta({ description: 'What decided the words of the agent.' }),
    model: z.string().nullable().meta({ description: 'Its model; null for one without models.' }),
    voice: z.string().meta({ description: 'What spoke.' }),
    transcription: z.string().meta({ description: 'What recognised speech.' }),
    substituted: z
      .array(
        z.object({
          field: z.enum(Object.keys(KIND_OF_FIELD) as [ProviderField, ...ProviderField[]]),
          asked: z.string().meta({ description: 'The provider that the agent or the call names.' }),
          used: z.string().meta({ description: 'The provider that took its place.' }),
        }),
      )
      .meta({ description: 'Providers that are not configured here, and which one took the place of each.' }),
  })
  .meta({
    id: 'CallProviders',
    description: 'The providers of a call, as they were resolved when it was answered.',
    examples: [{ ai: 'builtin', model: null, voice: 'builtin', transcription: 'builtin', substituted: [] }],
  });
export type ChosenProviders = z.output<typeof ChosenProviders>;

/**
 * Chooses the providers of a call: each named provider if it is configured, otherwise the built-in one. A
 * speech-to-speech model also takes the places of voice and recogniser. Used when a call is answered, and for an
 * agent's warnings, which show the same choice beforehand.
 */
export function chooseProviders(named: NamedProviders, offered: KnownProviders): ChosenProviders {
  const substituted = unconfiguredFieldsOf(named, offered).map((field) => ({
    field,
    asked: named[field]!,
    used: BUILT_IN,
  }));
  const usableFor = (field: ProviderField) =>
    substituted.some((substitution) => substitution.field === field) ? BUILT_IN : (named[field] ?? BUILT_IN);
  const ai = usableFor('ai_provider');
  // A model is only valid for the provider that it was named with.
  const model = ai === named.ai_provider ? named.model : null;
  const usesSpeechToSpeech = isSpeechToSpeech(ai, offered);
  return {
    ai,
    model: ai === BUILT_IN ? null : (model ?? configuredListingOf(ai, offered.ai)?.default_model ?? null),
    voice: usesSpeechToSpeech ? ai : usableFor('voice_provider'),
    transcription: usesSpeechToSpeech ? ai : usableFor('transcription_provider'),
    substituted,
  };
}

/**
 * The fields that name an unknown or unconfigured provider which a call would use. An agent with such a field is
 * refused, or accepted with a warning (`UNCONFIGURED_PROVIDERS`).
 */
export function unconfiguredFieldsOf(named: NamedProviders, offered: ProviderListings): ProviderField[] {
  // A configured speech-to-speech model needs neither voice nor recogniser; the substitute of any other needs both.
  if (isSpeechToSpeech(named.ai_provider, offered)) return [];
  return (Object.keys(KIND_OF_FIELD) as ProviderField[]).filter((field) => {
    const name = named[field];
    return name !== null && !configuredListingOf(name, offered[KIND_OF_FIELD[field]]);
  });
}

/** True for a configured speech-to-speech model. */
export function isSpeechToSpeech(aiProvider: string, { ai }: ProviderListings): boolean {
  return configuredListingOf(aiProvider, ai)?.speech_to_speech === true;
}

/** The listing of a provider; undefined if it is unknown or unconfigured. */
export function configuredListingOf(
  name: string,
  listings: readonly ProviderListing[],
): ProviderListing | undefined {
  return listings.find((provider) => provider.name === name && provider.configured);
}
