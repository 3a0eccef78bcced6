import { readProviders } from '#config/provider-settings.js';
import type { Environment } from '#config/setting.js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { PROVIDERS } from '#providers/registry.js';
import { Voices, type VoicesParts } from '#providers/voices/voices.js';
import type { Tts } from '#speech/tts.js';
import { createMemoryLog } from './memory-log.js';
import { createScriptedTts } from './scripted-tts.js';

/** Voices opened as in the service, from a separate environment, over real connections. */
export function voicesOf(
  environment: Environment,
  {
    clock = systemClock,
    builtIn = createScriptedTts(),
    ...parts
  }: { clock?: Clock; builtIn?: Tts } & Partial<VoicesParts> = {},
): Voices {
  const pool = openHttpPool({ clock });
  const fetch = createFetch({ pool });
  return new Voices(PROVIDERS, readProviders(environment, []), {
    clock,
    log: createMemoryLog().log,
    fetch,
    openSocket: createSocketOpener({ clock }),
    builtIn,
    ...parts,
  });
}
