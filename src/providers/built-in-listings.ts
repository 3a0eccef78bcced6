import { FLITE_VOICES } from '#providers/builtin/flite/flite-engine.js';
import type { ProviderListings } from './provider-listing.js';

/** The listings of the built-in providers, which need neither an account nor a network and are always configured. */
export const BUILT_IN_LISTINGS: ProviderListings = {
  ai: [{ name: 'builtin', configured: true }],
  voice: [{ name: 'builtin', configured: true, voices: FLITE_VOICES, languages: ['en'] }],
  transcription: [{ name: 'builtin', configured: true, languages: ['en'], tells_language: false }],
};
