import { createFliteSpeaking } from './flite/flite-speaking.js';
import { createPlaybookThinking } from './playbook/playbook-thinking.js';
import { createPocketsphinxHearing } from './pocketsphinx/pocketsphinx-hearing.js';

/** Every ear by the name that agents and calls use. A new one is one file, and one line here. */
export const HEARINGS = { builtin: createPocketsphinxHearing } as const;

/** Every voice. */
export const SPEAKINGS = { builtin: createFliteSpeaking } as const;

/** Every mind. */
export const THINKINGS = { builtin: createPlaybookThinking } as const;

function listed(providers: Readonly<Record<string, unknown>>) {
  return Object.keys(providers).map((name) => ({ name, configured: true }));
}

/** What agents may name, and whether it can be used here: the built-in ones need neither account nor network. */
export const SPEECH_PROVIDERS = {
  ai: listed(THINKINGS),
  voice: listed(SPEAKINGS),
  transcription: listed(HEARINGS),
};
