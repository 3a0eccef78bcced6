import { FLITE_VOICES } from '#providers/builtin/flite/flite-engine.js';

/** What agents and calls may name, and what it cannot do; the built-in ones need neither account nor network. */
export const SPEECH_PROVIDERS = {
  ai: [{ name: 'builtin', configured: true }],
  voice: [{ name: 'builtin', configured: true, voices: FLITE_VOICES, languages: ['en'] }],
  transcription: [{ name: 'builtin', configured: true, languages: ['en'] }],
};
