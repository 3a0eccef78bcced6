import { loadResampling, type Resampling } from '#media/samples/resampler.js';
import type { Log } from '#kernel/log/log.js';
import {
  isConfigured,
  missingSettings,
  type ProviderDefinition,
  type VoiceParts,
  type ProviderSettings,
  type VoiceListing,
} from '#providers/provider-definition.js';
import type { ProviderListing } from '#providers/provider-listing.js';
import { SpeechOutages, type SpeechOutage } from '#speech/outages.js';
import type { Languages } from '#language/languages/languages.js';
import { withSpeakableText } from '#speech/speakable-voice.js';
import type { SpeakRequest, Tts } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';
import { SentenceCache } from './sentence-cache.js';
import { limitedVoice } from './limited-voice.js';
import { vendorTts } from './vendor-tts.js';
import { voiceWithFallback, type OpenVoice, type VoiceFallbackParts } from './voice-fallback.js';

/** How long a vendor's list of voices is cached. */
const LIST_CACHED_MS = 10 * 60_000;
/** Timeout of a request for a vendor's list. */
const LIST_TIMEOUT_MS = 5_000;
/** The built-in voice, where a provider is named. */
const BUILT_IN = 'builtin';

/** The voice that an agent asks for. */
export interface VoiceChoice {
  provider: string;
  /** Null for the provider's default. */
  voice: string | null;
  settings?: VoiceSettings;
}

/** The dependencies of {@link Voices}. */
export interface VoicesParts extends VoiceParts {
  log: Log;
  /** The built-in voice. */
  builtIn: Tts;
  /** Loads the resampler; default that of the service. */
  resampling?: () => Promise<Resampling>;
  /** Languages for text normalisation; default those of the service. */
  languages?: Languages;
}

/** The requested voice cannot be used, because of the request or the settings. A retry does not help. */
export class VoiceNotUsable extends Error {
  override readonly name = 'VoiceNotUsable';
  readonly reason: 'unknown_provider' | 'not_configured' | 'no_voice';
  /** Names of the missing settings. */
  readonly missing: readonly string[];

  constructor(message: string, reason: VoiceNotUsable['reason'], missing: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.missing = missing;
  }
}

/**
 * The voices of this process: those of the configured vendors, and the built-in voice as the last fallback.
 * `createAgentResolver` opens voices for calls; the routes of voices list and preview them; the command `doctor` lists
 * them as a check.
 */
export class Voices {
  readonly #providers: ReadonlyMap<string, ProviderDefinition>;
  readonly #settings: Readonly<Record<string, ProviderSettings>>;
  readonly #parts: VoicesParts;
  readonly #outages: SpeechOutages;
  readonly #sentenceCache = new SentenceCache();
  /** The opened connections, by provider. `account`: see `VoiceWire`. */
  readonly #vendorVoices = new Map<string, { tts: Tts; account: string }>();
  /** The vendors' lists of voices, by provider, with the time (monotonic) until which each is fresh. */
  readonly #lists = new Map<string, { voices: VoiceListing[]; untilMs: number }>();
  readonly #resampling: () => Promise<Resampling>;

  /** @param settings the settings of each provider, by name */
  constructor(
    definitions: readonly ProviderDefinition[],
    settings: Readonly<Record<string, ProviderSettings>>,
    parts: VoicesParts,
  ) {
    const withVoices = definitions.filter(({ tts }) => tts !== undefined);
    this.#providers = new Map(withVoices.map((provider) => [provider.name, provider]));
    this.#settings = settings;
    this.#parts = parts;
    this.#outages = new SpeechOutages(parts.clock);
    let loaded: Promise<Resampling> | null = null;
    this.#resampling = parts.resampling ?? (() => (loaded ??= loadResampling()));
  }

  /**
   * Opens the named voices as one voice with fallbacks, in order. Voices that cannot be used are skipped, with a
   * warning. The built-in voice comes last unless it is named earlier, so that no call is silent.
   * @param listeners callbacks of the call, and its log
   */
  open(
    choices: readonly VoiceChoice[],
    listeners: Pick<VoiceFallbackParts, 'onVoice' | 'onReplaced'> & { log?: Log } = {},
  ): Tts {
    const { clock, log } = this.#parts;
    const usable = choices.filter((choice) => this.#checkUsable(choice, listeners.log ?? log));
    const hasBuiltIn = usable.some(({ provider }) => provider === BUILT_IN);
    const all = hasBuiltIn ? usable : [...usable, { provider: BUILT_IN, voice: null }];
    const voices = all.map((choice) => this.#openVoice(choice));
    return voiceWithFallback(voices, { clock, log, outages: this.#outages, ...listeners });
  }

  /**
   * Speaks a sentence with exactly this voice, without fallbacks.
   * @throws VoiceNotUsable, SpeechError
   */
  preview(choice: VoiceChoice, request: Pick<SpeakRequest, 'text' | 'language' | 'sampleRateHz'>) {
    const problem = this.problemOf(choice);
    if (problem) throw problem;
    const { clock, log } = this.#parts;
    const tts = voiceWithFallback([this.#openVoice(choice)], {
      clock,
      log,
      // A separate record, so that a failed preview does not take the voice away from calls.
      outages: new SpeechOutages(clock),
    });
    // Null: the voice is already part of the opened choice.
    return tts.speak({ ...request, voice: null });
  }

  /** Why a voice cannot be used; null if it can. */
  problemOf({ provider: name, voice }: VoiceChoice): VoiceNotUsable | null {
    if (name === BUILT_IN) return null;
    const provider = this.#providers.get(name);
    if (provider?.tts === undefined)
      return new VoiceNotUsable(`there is no voice provider ${name}`, 'unknown_provider');
    const settings = this.#settingsOf(name);
    if (!isConfigured(provider, settings)) {
      const missing = missingSettings(provider, settings);
      return new VoiceNotUsable(
        `${name} is not configured: ${missing.join(', ')} is missing`,
        'not_configured',
        missing,
      );
    }
    if (provider.tts.needsVoice && voice === null && provider.tts.defaults(settings).voice === null) {
      const missing = [`${provider.prefix}_VOICE`];
      return new VoiceNotUsable(`${name} needs a voice to be named, or ${missing[0]}`, 'no_voice', missing);
    }
    return null;
  }

  /**
   * The voices that a provider lists; a vendor's list is at most ten minutes old.
   * @throws VoiceNotUsable, SpeechError
   */
  async list(name: string): Promise<VoiceListing[]> {
    if (name === BUILT_IN) return this.#parts.builtIn.voices.map((id) => ({ id, name: id, language: 'en' }));
    const provider = this.#providers.get(name);
    // With an empty name instead of null, a missing voice is no problem: a list needs none.
    const problem = this.problemOf({ provider: name, voice: '' });
    if (problem || provider?.tts === undefined) throw problem ?? new Error('no such provider');
    const { clock } = this.#parts;
    const cached = this.#lists.get(name);
    if (cached && cached.untilMs > clock.monotonicMs()) return cached.voices;
    const timeout = new AbortController();
    const cancel = clock.after(LIST_TIMEOUT_MS, () => timeout.abort());
    try {
      const voices = await provider.tts.listVoices(this.#settingsOf(name), this.#parts, timeout.signal);
      this.#lists.set(name, { voices, untilMs: clock.monotonicMs() + LIST_CACHED_MS });
      return voices;
    } finally {
      cancel();
    }
  }

  /** Every voice provider except the built-in one, configured or not. */
  listings(): ProviderListing[] {
    return [...this.#providers.values()].map((provider) => {
      const settings = this.#settingsOf(provider.name);
      return {
        name: provider.name,
        configured: isConfigured(provider, settings),
        missing: missingSettings(provider, settings),
        default_model: provider.tts!.defaults(settings).model,
        default_voice: provider.tts!.defaults(settings).voice,
        ...(provider.tts!.languages && { languages: provider.tts!.languages }),
      };
    });
  }

  /** The voices that are currently out of use, and why. */
  outages(): SpeechOutage[] {
    return this.#outages.outages();
  }

  /** Closes the connections to vendors. */
  async close(): Promise<void> {
    await Promise.all([...this.#vendorVoices.values()].map(({ tts }) => tts.close()));
  }

  /** Returns true for a usable voice. Logs a warning otherwise: the call continues with the next voice of its list. */
  #checkUsable(choice: VoiceChoice, log: Log): boolean {
    const problem = this.problemOf(choice);
    if (problem) log.warn({ provider: choice.provider, reason: problem.reason }, problem.message);
    return problem === null;
  }

  #openVoice(choice: VoiceChoice): OpenVoice {
    return choice.provider === BUILT_IN ? this.#openBuiltIn(choice) : this.#openVendorVoice(choice);
  }

  #openVendorVoice({ provider, voice, settings = {} }: VoiceChoice): OpenVoice {
    const { tts, account } = this.#vendorTts(provider);
    const defaults = this.#providers.get(provider)!.tts!.defaults(this.#settingsOf(provider));
    return {
      provider,
      account,
      model: settings.model ?? defaults.model,
      voice: voice ?? defaults.voice,
      settings,
      normalise: settings.normalise ?? true,
      tts,
    };
  }

  /**
   * A vendor's voices with concurrency limit, sentence cache and text normalisation. Made once for each vendor: the
   * connections serve every call.
   */
  #vendorTts(name: string): { tts: Tts; account: string } {
    const cached = this.#vendorVoices.get(name);
    if (cached) return cached;
    const { tts: factory } = this.#providers.get(name)!;
    const settings = this.#settingsOf(name);
    const wire = factory!.open(settings, this.#parts);
    const voice = vendorTts(wire, factory!.defaults(settings), this.#resampling);
    const places = Number(settings['TTS_CONCURRENCY']);
    const limited = places >= 1 ? limitedVoice(voice, places) : voice;
    const opened = {
      tts: withSpeakableText(this.#sentenceCache.wrap(wire.account, limited), this.#parts.languages),
      account: wire.account,
    };
    this.#vendorVoices.set(name, opened);
    return opened;
  }

  #openBuiltIn({ voice, settings = {} }: VoiceChoice): OpenVoice {
    const { builtIn: tts } = this.#parts;
    return {
      provider: BUILT_IN,
      account: BUILT_IN,
      model: null,
      voice,
      settings,
      normalise: settings.normalise ?? true,
      tts,
    };
  }

  #settingsOf(name: string): ProviderSettings {
    return this.#settings[name] ?? {};
  }
}
