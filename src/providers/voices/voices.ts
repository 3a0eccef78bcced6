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
import { KeptSentences } from './kept-sentences.js';
import { limitedVoice } from './limited-voice.js';
import { vendorTts } from './vendor-tts.js';
import { voiceWithFallback, type VoiceChoiceOpened, type VoiceFallbackParts } from './voice-fallback.js';

/** Lists of vendors are asked for again after this. */
const LIST_KEPT_MS = 10 * 60_000;
const LIST_LIMIT_MS = 5_000;
const BUILT_IN = 'builtin';

/** Which voice is asked for; what an agent says of it. */
export interface VoiceChoice {
  provider: string;
  /** Null for the provider's default. */
  voice: string | null;
  settings?: VoiceSettings;
}

export interface VoicesParts extends VoiceParts {
  log: Log;
  /** The voice that comes with the service. */
  builtIn: Tts;
  resampling?: () => Promise<Resampling>;
  /** For texts made speakable; those that the service comes with by default. */
  languages?: Languages;
}

/** Why a voice cannot be used at all. */
export class VoiceNotUsable extends Error {
  override readonly name = 'VoiceNotUsable';
  readonly reason: 'unknown_provider' | 'not_configured' | 'no_voice';
  /** Names of settings that would help. */
  readonly missing: readonly string[];

  constructor(message: string, reason: VoiceNotUsable['reason'], missing: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.missing = missing;
  }
}

/** The voices of this process: those of vendors that the settings allow for, and the built-in one behind them. */
export class Voices {
  readonly #providers: ReadonlyMap<string, ProviderDefinition>;
  readonly #settings: Readonly<Record<string, ProviderSettings>>;
  readonly #parts: VoicesParts;
  readonly #outages: SpeechOutages;
  readonly #kept = new KeptSentences();
  readonly #opened = new Map<string, { tts: Tts; account: string }>();
  readonly #lists = new Map<string, { voices: VoiceListing[]; untilMs: number }>();
  readonly #resampling: () => Promise<Resampling>;

  constructor(
    definitions: readonly ProviderDefinition[],
    settings: Readonly<Record<string, ProviderSettings>>,
    parts: VoicesParts,
  ) {
    const speaking = definitions.filter(({ tts }) => tts !== undefined);
    this.#providers = new Map(speaking.map((provider) => [provider.name, provider]));
    this.#settings = settings;
    this.#parts = parts;
    this.#outages = new SpeechOutages(parts.clock);
    let loaded: Promise<Resampling> | null = null;
    this.#resampling = parts.resampling ?? (() => (loaded ??= loadResampling()));
  }

  /**
   * The voice that an agent names, with those that take its place when it fails. What cannot be used is left out; the
   * built-in voice stands behind all of them, unless it has a place among them, so that no call goes mute.
   */
  open(
    choices: readonly VoiceChoice[],
    told: Pick<VoiceFallbackParts, 'onVoice' | 'onReplaced'> & { log?: Log } = {},
  ): Tts {
    const { clock, log } = this.#parts;
    const named = choices.filter((choice) => this.#isUsable(choice, told.log ?? log));
    const isThere = named.some(({ provider }) => provider === BUILT_IN);
    const all = isThere ? named : [...named, { provider: BUILT_IN, voice: null }];
    const voices = all.map((choice) => this.#opening(choice));
    return voiceWithFallback(voices, { clock, log, outages: this.#outages, ...told });
  }

  /**
   * A sentence as this very voice speaks it: no other takes its place.
   * @throws VoiceNotUsable, SpeechError
   */
  preview(choice: VoiceChoice, request: Pick<SpeakRequest, 'text' | 'language' | 'sampleRateHz'>) {
    const problem = this.problemOf(choice);
    if (problem) throw problem;
    const { clock, log } = this.#parts;
    const tts = voiceWithFallback([this.#opening(choice)], { clock, log, outages: new SpeechOutages(clock) });
    return tts.speak({ ...request, voice: null });
  }

  /** Why a voice cannot be used; null when it can. */
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
   * What the vendor has to offer, as it was at most ten minutes ago.
   * @throws VoiceNotUsable, SpeechError
   */
  async list(name: string): Promise<VoiceListing[]> {
    if (name === BUILT_IN) return this.#parts.builtIn.voices.map((id) => ({ id, name: id, language: 'en' }));
    const provider = this.#providers.get(name);
    const problem = this.problemOf({ provider: name, voice: '' });
    if (problem || provider?.tts === undefined) throw problem ?? new Error('no such provider');
    const { clock } = this.#parts;
    const known = this.#lists.get(name);
    if (known && known.untilMs > clock.monotonicMs()) return known.voices;
    const limit = new AbortController();
    const cancel = clock.after(LIST_LIMIT_MS, () => limit.abort());
    try {
      const voices = await provider.tts.listVoices(this.#settingsOf(name), this.#parts, limit.signal);
      this.#lists.set(name, { voices, untilMs: clock.monotonicMs() + LIST_KEPT_MS });
      return voices;
    } finally {
      cancel();
    }
  }

  /** Every provider whose voices an agent may name, but for the built-in one. */
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

  /** What is left out at the moment, and why. */
  outages(): SpeechOutage[] {
    return this.#outages.outages();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(({ tts }) => tts.close()));
  }

  /** A call whose voice cannot be used goes on with the next one of its list. */
  #isUsable(choice: VoiceChoice, log: Log): boolean {
    const problem = this.problemOf(choice);
    if (problem) log.warn({ provider: choice.provider, reason: problem.reason }, problem.message);
    return problem === null;
  }

  #opening(choice: VoiceChoice): VoiceChoiceOpened {
    return choice.provider === BUILT_IN ? this.#builtIn(choice) : this.#open(choice);
  }

  #open({ provider, voice, settings = {} }: VoiceChoice): VoiceChoiceOpened {
    const { tts, account } = this.#vendor(provider);
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

  /** Opened once: its connections serve every call. */
  #vendor(name: string): { tts: Tts; account: string } {
    const known = this.#opened.get(name);
    if (known) return known;
    const { tts: factory } = this.#providers.get(name)!;
    const settings = this.#settingsOf(name);
    const wire = factory!.open(settings, this.#parts);
    const voice = vendorTts(wire, factory!.defaults(settings), this.#resampling);
    const places = Number(settings['TTS_CONCURRENCY']);
    const limited = places >= 1 ? limitedVoice(voice, places) : voice;
    const opened = {
      tts: withSpeakableText(this.#kept.in(wire.account, limited), this.#parts.languages),
      account: wire.account,
    };
    this.#opened.set(name, opened);
    return opened;
  }

  #builtIn({ voice, settings = {} }: VoiceChoice): VoiceChoiceOpened {
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
