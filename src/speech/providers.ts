import { FLITE_VOICES } from './flite/flite-engine.js';
import { createFliteSpeaking } from './flite/flite-speaking.js';
import { createPlaybookThinking } from './playbook/playbook-thinking.js';
import { createPocketsphinxHearing } from './pocketsphinx/pocketsphinx-hearing.js';

/** Every ear by the name that agents and calls use. A new one is one file, and one line here. */
export const HEARINGS = { builtin: createPocketsphinxHearing } as const;

/** Every voice. */
export const SPEAKINGS = { builtin: createFliteSpeaking } as const;

/** Every mind. */
export const THINKINGS = { builtin: createPlaybookThinking } as const;

/** What providers cannot do, where that is known before they are asked. */
interface Abilities {
  voices?: readonly string[];
  languages?: readonly string[];
}

function listed(
  providers: Readonly<Record<string, unknown>>,
  abilities: Readonly<Record<string, Abilities>> = {},
) {
  return Object.keys(providers).map((name) => ({ name, configured: true, ...abilities[name] }));
}

/** What agents may name, and whether it can be used here: the built-in ones need neither account nor network. */
export const SPEECH_PROVIDERS = {
  ai: listed(THINKINGS),
  voice: listed(SPEAKINGS, { builtin: { voices: FLITE_VOICES, languages: ['en'] } }),
  transcription: listed(HEARINGS, { builtin: { languages: ['en'] } }),
};
