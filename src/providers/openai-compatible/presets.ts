/** A server that speaks chat completions, under a name of its own. */
export interface Preset {
  /** As agents name it. */
  name: string;
  prefix: string;
  /** As people call it. */
  vendor: string;
  /** Null where the operator has to say where it runs. */
  baseUrl: string | null;
  /** Null where the agent, or the operator, has to name one. */
  defaultModel: string | null;
  /** Its recogniser, where it has `/audio/transcriptions`; null where the operator has to name one. */
  sttModel?: string | null;
  /** Whether reasoning has to be sent back with the tool calls that came of it. */
  wantsReasoningBack?: true;
  /** Whether it may have voices behind `/audio/speech`. */
  speaks?: true;
}

/** One line a server; any other is `openai-compatible` with its address. */
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
