import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { ModelMessage, ModelRequest, ModelTool, ModelToolCall } from '#dialogue/llm/language-model.js';

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/** What an adapter keeps with a message of the model, for the same provider alone. */
export interface KeptData {
  provider: string;
  /** What the provider wants back with a text or a tool call. */
  options?: SharedV3ProviderOptions;
  /** Reasoning that the provider wants back before the tool calls that came of it. */
  reasoning?: readonly { text: string; options?: SharedV3ProviderOptions }[];
}

/** For an agent that speaks first: every provider wants the conversation to begin with the user. */
const ANSWERED = '(The call was answered.)';

/** A conversation as the AI SDK's providers take it. */
export function promptOf(request: ModelRequest, provider: string): LanguageModelV3Prompt {
  const { system, messages } = request;
  const begins = messages[0]?.role === 'user' ? [] : [userMessage(ANSWERED)];
  const instructions = system === '' ? [] : [systemMessage(system)];
  return [...instructions, ...begins, ...messages.flatMap((message) => messageOf(message, provider))];
}

/** Undefined where there are none: an empty list is refused by some. */
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
  // Instructions and tools are the same in every turn of a call: what Anthropic keeps of them is answered sooner.
  return { role: 'system', content, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
}

function userMessage(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

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
    // An empty text is refused by Anthropic.
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
    input: objectIn(call.arguments),
    ...(options && { providerOptions: options }),
  };
}

/** Arguments as an object, as every provider wants them back; what could not be read has become the tool's result. */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** What another provider has left with a message means nothing to this one. */
function keptBy(provider: string, data: unknown): KeptData | null {
  const kept = data as KeptData | null | undefined;
  return typeof kept === 'object' && kept !== null && kept.provider === provider ? kept : null;
}
