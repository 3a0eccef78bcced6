import type { Config } from '#config/config.js';
import { createFetch } from '#outbound-http/fetch.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { openHttpPool } from '#outbound-http/pool.js';
import type { Languages } from '#language/languages/languages.js';
import type { SsrfGuard } from '#outbound-http/ssrf-guard.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { BUILT_IN_LISTINGS } from '#providers/built-in-listings.js';
import { openModels, type Models } from '#providers/models.js';
import { PROVIDERS } from '#providers/registry.js';
import { SpeechProviders } from '#providers/speech-providers.js';
import { Voices } from '#providers/voices/voices.js';
import { createCallbackSockets } from '#providers/wire/callback-sockets.js';
import type { Tts } from '#speech/tts.js';
import type { Replacements, Foundation } from './replacements.js';

// Opens the providers of language models, voices and recognisers, as a part of the composition root.

/** The providers of this process and their connections. */
export interface OpenedProviders {
  models: Models;
  voices: Voices;
  speech: SpeechProviders;
  close(): Promise<void>;
}

/**
 * Opens all providers; used by `openTalking`.
 * @param parts.guard keeps requests to customers' servers out of the operator's network (SSRF)
 * @param parts.builtIn the fallback of all other voices
 */
export function openProviders(
  config: Config,
  parts: Foundation & { guard: SsrfGuard; builtIn: Tts; languages: Languages },
  replace: Partial<Replacements>,
): OpenedProviders {
  const { clock, ids, log, guard, builtIn, languages } = parts;
  // Providers are the operator's choice; a customer's own model server is reached through the guard.
  const pool = openHttpPool({ clock });
  const guardedPool = openHttpPool({ clock, guard });
  const fetch = createFetch({ pool });
  const definitions = [...PROVIDERS, ...(replace.providers ?? [])];
  const openSocket = createSocketOpener({ clock });
  const voices = new Voices(definitions, config.providers, {
    clock,
    log,
    fetch,
    openSocket,
    builtIn,
    languages,
  });
  const speech = new SpeechProviders(definitions, config.providers, {
    clock,
    ids,
    log,
    fetch,
    connect: replace.connectSocket ?? createCallbackSockets(openSocket, clock),
  });
  const models = openModels(
    { settings: config.providers, packages: config.aiSdkPackages, definitions },
    {
      clock,
      ids,
      log,
      fetch,
      guardedFetch: createFetch({ pool: guardedPool }),
    },
  );
  return {
    models,
    voices,
    speech,
    async close() {
      models.close();
      await Promise.all([voices.close(), speech.close()]);
      await Promise.all([pool.close(), guardedPool.close()]);
    },
  };
}

/** The providers that agents may name: the built-in providers and the opened providers. */
export function knownProviders(
  config: Config,
  languages: Languages,
  { models, voices, speech }: Pick<OpenedProviders, 'models' | 'voices' | 'speech'>,
): KnownProviders {
  const ai = [...models.listings(), ...speech.realtimeListings()].map(
    ({ defaultModel: default_model, ...listing }) => ({
      ...listing,
      default_model,
    }),
  );
  return {
    ...BUILT_IN_LISTINGS,
    ai: [...BUILT_IN_LISTINGS.ai, ...ai],
    voice: [...BUILT_IN_LISTINGS.voice, ...voices.listings()],
    transcription: [...BUILT_IN_LISTINGS.transcription, ...speech.transcriptionListings()],
    whenUnconfigured: config.unconfiguredProviders,
    languages: languages.codes,
  };
}
