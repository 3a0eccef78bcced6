/**
 * Converts a request of the service's model port (`ModelRequest`) to the prompt and tools of the AI SDK's provider
 * packages. Used by `aiSdkSource`.
 */
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { ModelMessage, ModelRequest, ModelTool, ModelToolCall } from '#dialogue/llm/language-model.js';

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/**
 * Provider-specific data that is kept with a message or tool call of the model (`providerData`) and sent back in later
 * requests. Only the same provider reads it.
 */
export interface KeptData {
  provider: string;
  /** Provider options to send back with a text or tool call. */
  options?: SharedV3ProviderOptions;
  /** Reasoning that the provider expects before the tool calls that followed from it. */
  reasoning?: readonly { text: string; options?: SharedV3ProviderOptions }[];
}

/**
 * A first message of the user, if the request has none, although `ModelRequest` requires it: some providers refuse a
 * prompt that begins with the agent.
 */
const CALL_ANSWERED = '(The call was answered.)';

/** Converts a conversation to the prompt of the AI SDK's providers. */
export function promptOf(request: ModelRequest, provider: string): LanguageModelV3Prompt {
  const { system, messages } = request;
  const opening = messages[0]?.role === 'user' ? [] : [userMessage(CALL_ANSWERED)];
  const instructions = system === '' ? [] : [systemMessage(system)];
  return [...instructions, ...opening, ...messages.flatMap((message) => messageOf(message, provider))];
}

/** Converts tools. Undefined if there are none: some providers refuse an empty list. */
export function toolsOf(tools: readonly ModelTool[]): LanguageModelV3FunctionTool[] | undefined {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
}

function systemMessage(content: string): LanguageModelV3Message {
  // Instructions and tools are the same in every turn; Anthropic answers sooner with them in its cache.
  return { role: 'system', content, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
}

function userMessage(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A message as messages of the AI SDK; none if it has neither text nor tool calls, which providers refuse. */
function messageOf(message: ModelMessage, provider: string): LanguageModelV3Message[] {
  if (message.role === 'user') return [userMessage(message.text)];
  if (message.role === 'tool') {
    const content = message.results.map(({ id, name, text }) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'text' as const, value: text },
    }));
    return content.length === 0 ? [] : [{ role: 'tool', content }];
  }
  const kept = keptBy(provider, message.providerData);
  const content: AssistantPart[] = [
    ...(kept?.reasoning ?? []).map(({ text, options }) => ({
      type: 'reasoning' as const,
      text,
      ...(options && { providerOptions: options }),
    })),
    // Anthropic refuses empty texts.
    ...(message.text === ''
      ? []
      : [
          {
            type: 'text' as const,
            text: message.text,
            ...(kept?.options && { providerOptions: kept.options }),
          },
        ]),
    ...message.toolCalls.map((call) => callPart(call, provider)),
  ];
  return message.text === '' && message.toolCalls.length === 0 ? [] : [{ role: 'assistant', content }];
}

function callPart(call: ModelToolCall, provider: string): AssistantPart {
  const options = keptBy(provider, call.providerData)?.options;
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: parseArguments(call.arguments),
    ...(options && { providerOptions: options }),
  };
}

/**
 * Tool arguments as an object, which providers require. Unparsable arguments become `{}`: the model learns of them
 * from the error that is the tool's result.
 */
function parseArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The data kept with a message; null if there is none, or if another provider made it (the model was replaced). */
function keptBy(provider: string, data: unknown): KeptData | null {
  const kept = data as KeptData | null | undefined;
  return typeof kept === 'object' && kept !== null && kept.provider === provider ? kept : null;
}
