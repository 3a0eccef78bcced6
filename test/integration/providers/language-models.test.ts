import { describeLanguageModel, type TestedModel } from '#test/contracts/language-model.js';
import { anthropicMessages } from '#test/support/emulators/models/anthropic-emulator.js';
import { gemini } from '#test/support/emulators/models/gemini-emulator.js';
import { openAiChat } from '#test/support/emulators/models/openai-chat-emulator.js';

const KEY = 'key-4711-of-a-test';

/** A server that speaks chat completions under a name and a prefix of settings. */
function chat(provider: string, prefix: string, model: string, key: string | null = KEY): TestedModel {
  return {
    dialect: openAiChat(key),
    key,
    environment: (url) => ({
      [`${prefix}_BASE_URL`]: url,
      ...(key !== null && { [`${prefix}_API_KEY`]: key }),
    }),
    choice: () => ({ provider, model }),
  };
}

describeLanguageModel('OpenAI', chat('openai', 'OPENAI', 'gpt-4.1'));
describeLanguageModel('Azure', chat('azure', 'AZURE', 'our-deployment'));
describeLanguageModel('Groq', chat('groq', 'GROQ', 'openai/gpt-oss-120b'));
describeLanguageModel('Ollama', chat('ollama', 'OLLAMA', 'llama3.2', null));

describeLanguageModel('a server of the customer', {
  dialect: openAiChat(KEY),
  key: KEY,
  environment: () => ({}),
  choice: (url) => ({ provider: 'custom', model: null, url, headers: { authorization: `Bearer ${KEY}` } }),
});

describeLanguageModel('Anthropic', {
  dialect: anthropicMessages(KEY),
  key: KEY,
  environment: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  choice: () => ({ provider: 'anthropic', model: 'claude-haiku-4-5' }),
});

describeLanguageModel('Gemini 2.5', {
  dialect: gemini(KEY),
  key: KEY,
  environment: (url) => ({ GEMINI_API_KEY: KEY, GEMINI_BASE_URL: url }),
  choice: () => ({ provider: 'google', model: 'gemini-2.5-flash' }),
});

describeLanguageModel('Gemini 3', {
  dialect: gemini(KEY),
  key: KEY,
  environment: (url) => ({ GEMINI_API_KEY: KEY, GEMINI_BASE_URL: url }),
  choice: () => ({ provider: 'google', model: 'gemini-3.6-flash' }),
});
