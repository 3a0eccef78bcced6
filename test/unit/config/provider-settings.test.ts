import { describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';
import { ConfigError } from '#config/setting.js';

describe('the settings of AI providers', () => {
  it('have what usually holds where they say nothing', () => {
    expect(readConfig({}).providers['openai']).toMatchObject({
      API_KEY: null,
      BASE_URL: 'https://api.openai.com/v1',
      MODEL: 'gpt-4.1',
      TTS_MODEL: 'gpt-4o-mini-tts',
      VOICE: 'alloy',
    });
  });

  it.each(['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'])('are read as %s', (name) => {
    const config = readConfig({ [name]: ' a-key ' });
    expect(config.providers['google']).toMatchObject({ API_KEY: 'a-key' });
    expect(config.warnings).toEqual([]);
    expect(config.settingsInForce.find((setting) => setting.name === 'GEMINI_API_KEY')).toMatchObject({
      value: null,
      isSet: true,
    });
  });

  it('take addresses without the slash at their end, and keys with it', () => {
    const { providers } = readConfig({
      OLLAMA_BASE_URL: 'http://localhost:11434/v1/',
      OPENAI_API_KEY: 'c2VjcmV0Pz8/',
    });
    expect(providers['ollama']).toMatchObject({ BASE_URL: 'http://localhost:11434/v1' });
    expect(providers['openai']).toMatchObject({ API_KEY: 'c2VjcmV0Pz8/' });
  });

  it('are refused where they are wrong, and no key is shown', () => {
    const read = () => readConfig({ OPENAI_API_KEY: 'a key with spaces', GROQ_BASE_URL: 'not an address' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/OPENAI_API_KEY: must be/);
    expect(read).toThrow(/GROQ_BASE_URL: must be/);
    expect(read).not.toThrow(/with spaces:/);
  });

  it.each([
    [{ AZURE_API_KEY: 'k' }, 'AZURE_API_KEY is set, but azure is not used without AZURE_BASE_URL.'],
    [{ GROQ_MODEL: 'm' }, 'GROQ_MODEL is set, but groq is not used without GROQ_API_KEY.'],
    [{ OPENAI_API_KEI: 'k' }, 'OPENAI_API_KEI is set, but nothing reads it: OPENAI_API_KEY?'],
  ])('are warned of where they are not enough: %o', (environment, warning) => {
    expect(readConfig(environment).warnings).toEqual([warning]);
  });

  it('name further packages', () => {
    const { aiSdkPackages } = readConfig({
      AI_SDK_PROVIDERS: '@ai-sdk/amazon-bedrock, @ai-sdk/google-vertex',
    });
    expect(aiSdkPackages).toEqual(['@ai-sdk/amazon-bedrock', '@ai-sdk/google-vertex']);
    expect(() => readConfig({ AI_SDK_PROVIDERS: '../../secrets' })).toThrow(ConfigError);
  });
});
