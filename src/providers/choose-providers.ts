import { z } from 'zod';
import type { ProviderListing, ProviderListings } from './provider-listing.js';

/** What stands behind a port where nothing else can. */
export const BUILT_IN = 'builtin';

/** What a call does whose agent names a provider that is not configured (`UNCONFIGURED_PROVIDERS`). */
export type UnconfiguredProviders = 'builtin' | 'refuse';

/** What can be used here, as plain data: it is handed to transactions. */
export interface KnownProviders extends ProviderListings {
  whenUnconfigured: UnconfiguredProviders;
  /** The letters of the languages that the service has phrases for. */
  languages: readonly string[];
}

/** The providers that an agent, or a call in its place, names. */
export interface NamedProviders {
  ai_provider: string;
  model: string | null;
  voice_provider: string;
  transcription_provider: string | null;
}

const KINDS = {
  ai_provider: 'ai',
  voice_provider: 'voice',
  transcription_provider: 'transcription',
} as const satisfies Record<string, keyof ProviderListings>;
export type ProviderField = keyof typeof KINDS;

/** The providers of one call, as they are kept with it and shown. */
export const ChosenProviders = z
  .object({
    ai: z.string().meta({ description: 'What decided the words of the agent.' }),
    model: z.string().nullable().meta({ description: 'Its model; null for one without models.' }),
    voice: z.string().meta({ description: 'What spoke.' }),
    transcription: z.string().meta({ description: 'What recognised speech.' }),
    substituted: z
      .array(
        z.object({
          field: z.enum(Object.keys(KINDS) as [ProviderField, ...ProviderField[]]),
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

/** Which providers a call uses: those that are named and configured, and the built-in one in place of the others. */
export function chooseProviders(named: NamedProviders, known: KnownProviders): ChosenProviders {
  const hearsAndSpeaks = listingOf(named.ai_provider, known.ai)?.speech_to_speech === true;
  const substituted = unconfiguredOf(named, known)
    .filter((field) => field === 'ai_provider' || !hearsAndSpeaks)
    .map((field) => ({ field, asked: named[field]!, used: BUILT_IN }));
  const used = (field: ProviderField) =>
    substituted.some((one) => one.field === field) ? BUILT_IN : (named[field] ?? BUILT_IN);
  const ai = used('ai_provider');
  // A model belongs to the provider it was named with.
  const model = ai === named.ai_provider ? named.model : null;
  const isWhole = hearsAndSpeaks && ai === named.ai_provider;
  return {
    ai,
    model: ai === BUILT_IN ? null : (model ?? listingOf(ai, known.ai)?.default_model ?? null),
    voice: isWhole ? ai : used('voice_provider'),
    transcription: isWhole ? ai : used('transcription_provider'),
    substituted,
  };
}

/** The fields that name a provider which is unknown or not configured. */
export function unconfiguredOf(named: NamedProviders, known: ProviderListings): ProviderField[] {
  return (Object.keys(KINDS) as ProviderField[]).filter((field) => {
    const name = named[field];
    return name !== null && listingOf(name, known[KINDS[field]])?.configured !== true;
  });
}

/** A provider as it is known here; undefined for one that is unknown. */
export function listingOf(name: string, known: readonly ProviderListing[]): ProviderListing | undefined {
  return known.find((provider) => provider.name === name);
}
