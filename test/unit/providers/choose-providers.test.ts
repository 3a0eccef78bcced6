import { describe, expect, it } from 'vitest';
import { chooseProviders, type KnownProviders, type NamedProviders } from '#providers/choose-providers.js';

const KNOWN: KnownProviders = {
  ai: [
    { name: 'builtin', configured: true },
    { name: 'openai', configured: true, default_model: 'gpt-4.1' },
    { name: 'anthropic', configured: false, missing: ['ANTHROPIC_API_KEY'] },
    { name: 'openai-realtime', configured: true, default_model: 'gpt-realtime', speech_to_speech: true },
    { name: 'gemini-live', configured: false, missing: ['GOOGLE_API_KEY'], speech_to_speech: true },
  ],
  voice: [
    { name: 'builtin', configured: true },
    { name: 'cartesia', configured: true },
    { name: 'elevenlabs', configured: false, missing: ['ELEVENLABS_API_KEY'] },
  ],
  transcription: [{ name: 'builtin', configured: true }],
  whenUnconfigured: 'builtin',
  languages: ['en'],
};

const named = (some: Partial<NamedProviders>): NamedProviders => ({
  ai_provider: 'builtin',
  model: null,
  voice_provider: 'builtin',
  transcription_provider: null,
  ...some,
});

const BUILT_IN = { ai: 'builtin', model: null, voice: 'builtin', transcription: 'builtin', substituted: [] };

describe('the providers of a call', () => {
  it.each<[what: string, asked: Partial<NamedProviders>, chosen: object]>([
    ['the built-in ones where none is named', {}, BUILT_IN],
    ['no model with the built-in one', { model: 'gpt-4.1' }, BUILT_IN],
    ['those that are named', { voice_provider: 'cartesia' }, { ...BUILT_IN, voice: 'cartesia' }],
    ['the default model', { ai_provider: 'openai' }, { ...BUILT_IN, ai: 'openai', model: 'gpt-4.1' }],
    [
      'the model that is named',
      { ai_provider: 'openai', model: 'gpt-5' },
      { ...BUILT_IN, ai: 'openai', model: 'gpt-5' },
    ],
    [
      'the built-in one, without the other one’s model, in place of one that is not configured',
      { ai_provider: 'anthropic', model: 'claude' },
      { ...BUILT_IN, substituted: [{ field: 'ai_provider', asked: 'anthropic', used: 'builtin' }] },
    ],
    [
      'the built-in one in place of one that is unknown',
      { transcription_provider: 'ears' },
      { ...BUILT_IN, substituted: [{ field: 'transcription_provider', asked: 'ears', used: 'builtin' }] },
    ],
    [
      'a speech-to-speech model alone, whatever voice and recogniser are named',
      { ai_provider: 'openai-realtime', voice_provider: 'elevenlabs', transcription_provider: 'ears' },
      {
        ai: 'openai-realtime',
        model: 'gpt-realtime',
        voice: 'openai-realtime',
        transcription: 'openai-realtime',
        substituted: [],
      },
    ],
    [
      'the built-in ones in place of a speech-to-speech model, a voice and a recogniser that cannot be used',
      { ai_provider: 'gemini-live', voice_provider: 'elevenlabs', transcription_provider: 'ears' },
      {
        ...BUILT_IN,
        substituted: [
          { field: 'ai_provider', asked: 'gemini-live', used: 'builtin' },
          { field: 'voice_provider', asked: 'elevenlabs', used: 'builtin' },
          { field: 'transcription_provider', asked: 'ears', used: 'builtin' },
        ],
      },
    ],
  ])('are %s', (_, asked, chosen) => {
    expect(chooseProviders(named(asked), KNOWN)).toEqual(chosen);
  });
});
