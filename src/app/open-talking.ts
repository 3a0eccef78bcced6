import type { Config } from '#config/config.js';
import type { Languages } from '#language/languages/languages.js';
import { readLanguages } from '#language/languages/languages-folder.js';
import type { SsrfGuard } from '#outbound-http/ssrf-guard.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { Models } from '#providers/models.js';
import type { SpeechProviders } from '#providers/speech-providers.js';
import type { Voices } from '#providers/voices/voices.js';
import type { Tts } from '#speech/tts.js';
import { knownProviders, openProviders } from './open-models.js';
import type { Replacements, Foundation } from './replacements.js';
import { openTooling, type Tooling } from './open-tooling.js';

/** The services that agents use in a talk: language models, voices, recognisers and tools. */
export interface Talking {
  models: Models;
  voices: Voices;
  speech: SpeechProviders;
  providers: KnownProviders;
  tooling: Tooling;
  languages: Languages;
  close(): Promise<void>;
}

/**
 * Opens the services that agents use in a talk; used by `composeApp`.
 * @param options.guard keeps requests to customers' servers out of the operator's network (SSRF)
 */
export async function openTalking(
  config: Config,
  tools: Foundation,
  options: { guard: SsrfGuard; builtIn: Tts; replace: Partial<Replacements> },
): Promise<Talking> {
  const { replace } = options;
  const parts = { ...tools, ...options };
  const languages = await readLanguages(config.languagesDir);
  const opened = openProviders(config, { ...parts, languages }, replace);
  const tooling = openTooling(config, parts, replace);
  return {
    models: opened.models,
    voices: opened.voices,
    speech: opened.speech,
    providers: knownProviders(config, languages, opened),
    tooling,
    languages,
    close: async () => void (await Promise.all([opened.close(), tooling.close()])),
  };
}
