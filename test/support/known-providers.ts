import type { KnownProviders } from '#providers/choose-providers.js';

/** A service with only the built-in providers. */
export const BUILT_IN_ONLY: KnownProviders = {
  ai: [{ name: 'builtin', configured: true }],
  voice: [{ name: 'builtin', configured: true }],
  transcription: [{ name: 'builtin', configured: true }],
  whenUnconfigured: 'builtin',
  languages: ['en'],
};
