import { FLITE_VOICES } from '#providers/builtin/flite/flite-engine.js';
import type { ProviderListings } from './provider-listing.js';

/**
 * The built-in providers as they appear in `GET /api/providers` and in the choice of a call's providers. They need
 * neither an account nor a network, so they are always configured. `openProviders` adds the other providers.
 */
export const BUILT_IN_LISTINGS: ProviderListings = {
  ai: [{ name: 'builtin', configured: true }],
  voice: [{ name: 'builtin', configured: true, voices: FLITE_VOICES, languages: ['en'] }],
  transcription: [{ name: 'builtin', configured: true, languages: ['en'], tells_language: false }],
};
