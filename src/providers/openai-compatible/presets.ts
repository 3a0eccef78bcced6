/** A vendor or kind of server with OpenAI's chat completions, as a provider of its own. */
export interface Preset {
  /** The name that agents use. */
  name: string;
  /** The prefix of its environment variables. */
  prefix: string;
  /** The name in the documentation of the settings. */
  vendor: string;
  /** Null if the operator has to configure the address. */
  baseUrl: string | null;
  /** Null if the agent or operator has to name a model. */
  defaultModel: string | null;
  /** The default recogniser, if the server has `/audio/transcriptions`; null if it has no default (`ANY_STT_MODEL`). */
  sttModel?: string | null;
  /** True if reasoning must be sent back with the tool calls that followed from it. */
  wantsReasoningBack?: true;
  /** True if the server may have voices at `/audio/speech`. */
  speaks?: true;
}

/**
 * The language model providers that need nothing but an address and a key; `openai-compatible.ts` makes a provider of
 * each. The last one, `openai-compatible`, is for any other server, with its address in the settings.
 */
export const PRESETS: readonly Preset[] = [
  {
    name: 'groq',
    prefix: 'GROQ',
    vendor: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    defaultModel: 'openai/gpt-oss-120b',
    sttModel: 'whisper-large-v3-turbo',
  },
  {
    name: 'openrouter',
    prefix: 'OPENROUTER',
    vendor: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    defaultModel: null,
  },
  {
    name: 'mistral',
    prefix: 'MISTRAL',
    vendor: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    defaultModel: 'mistral-small-latest',
  },
  {
    name: 'deepseek',
    prefix: 'DEEPSEEK',
    vendor: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    defaultModel: 'deepseek-chat',
    wantsReasoningBack: true,
  },
  { name: 'xai', prefix: 'XAI', vendor: 'xAI', baseUrl: 'https://api.x.ai/v1', defaultModel: null },
  {
    name: 'together',
    prefix: 'TOGETHER',
    vendor: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    defaultModel: null,
  },
  { name: 'ollama', prefix: 'OLLAMA', vendor: 'Ollama', baseUrl: null, defaultModel: null },
  { name: 'vllm', prefix: 'VLLM', vendor: 'vLLM', baseUrl: null, defaultModel: null },
  { name: 'llamacpp', prefix: 'LLAMACPP', vendor: 'llama.cpp', baseUrl: null, defaultModel: null },
  { name: 'lmstudio', prefix: 'LMSTUDIO', vendor: 'LM Studio', baseUrl: null, defaultModel: null },
  {
    name: 'openai-compatible',
    prefix: 'OPENAI_COMPATIBLE',
    vendor: "a server that speaks OpenAI's dialect",
    baseUrl: null,
    defaultModel: null,
    sttModel: null,
    speaks: true,
  },
];
