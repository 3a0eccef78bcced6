import type { ModelDialect, ModelTurn, ReceivedRequest, Refused } from './model-emulator.js';

interface ChatMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** Models that refuse the parameters of models without reasoning. */
const REASONING = /^(o\d|gpt-[5-9])(?!.*chat)/;
const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_credits',
  403: 'permission_denied',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};

/** Chat completions with the checks and streaming of OpenAI's service. @param key null for none */
export function openAiChat(key: string | null): ModelDialect {
  return {
    refuse: (request) => refusalOf(request, key),
    eventsOf: (turn, { body }) => eventsOf(turn, body['stream_options'] !== undefined),
    refused: (status) =>
      refused(status, CODES[status] ?? (status < 500 ? 'invalid_request' : 'server_error')),
    errorEvent: () =>
      event({ error: { message: 'upstream broke', type: 'server_error', param: null, code: null } }),
    unknownEvent: () => event({ id: 'x', object: 'chat.completion.metrics', queue: { depth: 3 } }),
  };
}

function refusalOf({ headers, body }: ReceivedRequest, key: string | null): Refused | null {
  if (key !== null && headers['authorization'] !== `Bearer ${key}` && headers['api-key'] !== key)
    return refused(401, 'invalid_api_key');
  const model = String(body['model']);
  const tools = body['tools'] as unknown[] | undefined;
  const effort = body['reasoning_effort'];
  if (model.startsWith('unknown')) return refused(404, 'model_not_found');
  if (body['stream'] !== true) return refused(400, 'invalid_request', 'stream');
  if (tools?.length === 0) return refused(400, 'empty_array', 'tools');
  if (tools === undefined && body['parallel_tool_calls'] !== undefined)
    return refused(400, 'invalid_request', 'parallel_tool_calls');
  if (REASONING.test(model) && body['max_tokens'] !== undefined)
    return refused(400, 'unsupported_parameter', 'max_tokens');
  if (REASONING.test(model) && body['temperature'] !== undefined && effort !== 'none')
    return refused(400, 'unsupported_value', 'temperature');
  const field = unpaired((body['messages'] ?? []) as ChatMessage[]);
  return field === null ? null : refused(400, 'invalid_request', field);
}

/** The message that breaks the rule that each tool call is directly followed by its result. */
function unpaired(messages: readonly ChatMessage[]): string | null {
  let open = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const isResult = message.role === 'tool';
    if (isResult ? !open.delete(message.tool_call_id ?? '') : open.size > 0) return `messages.[${i}].role`;
    if (message.role === 'assistant') open = new Set((message.tool_calls ?? []).map(({ id }) => id));
  }
  return open.size > 0 ? 'messages' : null;
}

function refused(status: number, code: string, param: string | null = null): Refused {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return {
    status,
    body: JSON.stringify({ error: { message: `${code}: ${param ?? 'request'}`, type, param, code } }),
  };
}

function eventsOf(
  { text = [], calls = [], reasoning = [], finish }: ModelTurn,
  withUsage: boolean,
): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_764_000_000,
      model: 'emulated',
      choices: [{ index: 0, delta, finish_reason }],
      obfuscation: 'x7',
    });
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 8 },
  };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((piece) => chunk({ reasoning_content: piece })),
    ...text.map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ id, name, arguments: args }, index) =>
      callDeltas(index, id, name, args).map((d) => chunk(d)),
    ),
    chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(withUsage ? [event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ];
}

function callDeltas(index: number, id: string | undefined, name: string, args: unknown): object[] {
  const text = JSON.stringify(args);
  const middle = Math.ceil(text.length / 2);
  const piece = (fields: object) => ({ tool_calls: [{ index, ...fields }] });
  return [
    piece({ id: id ?? `call_${index}`, type: 'function', function: { name, arguments: '' } }),
    piece({ function: { arguments: text.slice(0, middle) } }),
    piece({ function: { arguments: text.slice(middle) } }),
  ];
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
