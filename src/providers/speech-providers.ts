import { SpeechOutages } from '#speech/outages.js';
import type { Realtime } from '#speech/realtime.js';
import type { Stt } from '#speech/stt.js';
import type { ModelListing } from './models.js';
import {
  isConfigured,
  missingSettings,
  type ProviderDefinition,
  type ProviderSettings,
  type SpeechParts,
} from './provider-definition.js';
import type { ProviderListing } from './provider-listing.js';

/**
 * The recognisers and speech-to-speech models of this process, for `createAgentResolver` and the lists of providers.
 * Each recogniser and each model is opened with its first call and then serves all calls.
 */
export class SpeechProviders {
  /** The recognisers that are currently out of use, and why. */
  readonly outages: SpeechOutages;
  readonly #definitions: readonly ProviderDefinition[];
  readonly #settings: Readonly<Record<string, ProviderSettings>>;
  readonly #parts: SpeechParts;
  readonly #stts = new Map<string, Stt>();
  readonly #realtimes = new Map<string, Realtime>();

  /** @param settings the settings of each provider, by name */
  constructor(
    definitions: readonly ProviderDefinition[],
    settings: Readonly<Record<string, ProviderSettings>>,
    parts: SpeechParts,
  ) {
    this.#definitions = definitions;
    this.#settings = settings;
    this.#parts = parts;
    this.outages = new SpeechOutages(parts.clock);
  }

  /** The recogniser of a provider, without regard to outages; null if there is none, or its settings are incomplete. */
  stt(name: string): Stt | null {
    const definition = this.#usableDefinition(name);
    if (!definition?.stt) return null;
    const opened = this.#stts.get(name) ?? definition.stt.open(this.#settingsOf(name), this.#parts);
    this.#stts.set(name, opened);
    return opened;
  }

  /**
   * The speech-to-speech model of a provider (null: its default); null if there is none, or its settings are
   * incomplete.
   */
  realtime(name: string, model: string | null): Realtime | null {
    const factory = this.#usableDefinition(name)?.realtime;
    const settings = this.#settingsOf(name);
    const chosen = model ?? factory?.defaultModel(settings) ?? null;
    if (!factory || chosen === null) return null;
    const key = `${name} ${chosen}`;
    const opened = this.#realtimes.get(key) ?? factory.open(chosen, settings, this.#parts);
    this.#realtimes.set(key, opened);
    return opened;
  }

  /** Every provider with a recogniser. */
  transcriptionListings(): ProviderListing[] {
    return this.#definitions.flatMap((definition) => {
      const { stt } = definition;
      if (!stt) return [];
      return [
        {
          ...this.#listing(definition),
          ...(stt.languages && { languages: stt.languages }),
          tells_language: stt.tellsLanguage(this.#settingsOf(definition.name)),
        },
      ];
    });
  }

  /** Every provider with speech-to-speech models. */
  realtimeListings(): (ModelListing & { speech_to_speech: true })[] {
    return this.#definitions.flatMap((definition) => {
      const { realtime } = definition;
      if (!realtime) return [];
      const defaultModel = realtime.defaultModel(this.#settingsOf(definition.name));
      return [{ ...this.#listing(definition), defaultModel, speech_to_speech: true as const }];
    });
  }

  /** Closes all opened recognisers and models, and their connections. */
  async close(): Promise<void> {
    const opened = [...this.#stts.values(), ...this.#realtimes.values()];
    await Promise.all(opened.map((provider) => provider.close()));
  }

  /** The fields that the listings of both kinds share. */
  #listing(definition: ProviderDefinition) {
    const settings = this.#settingsOf(definition.name);
    return {
      name: definition.name,
      configured: isConfigured(definition, settings),
      missing: missingSettings(definition, settings),
    };
  }

  /** The definition of a provider whose settings are complete; null for any other name. */
  #usableDefinition(name: string): ProviderDefinition | null {
    const definition = this.#definitions.find((candidate) => candidate.name === name);
    return definition && isConfigured(definition, this.#settingsOf(name)) ? definition : null;
  }

  #settingsOf(name: string): ProviderSettings {
    return this.#settings[name] ?? {};
  }
}
