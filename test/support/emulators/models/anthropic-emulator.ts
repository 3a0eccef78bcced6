import type { ModelDialect, ModelTurn, ReceivedRequest, Refused } from './model-emulator.js';

interface Block {
  type: string;
  text?: string;
  id?: string;
  tool_use_id?: string;
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Anthropic's messages with the service's checks and streaming. */
export function anthropicMessages(key: string): ModelDialect {
  return {
    refuse: (request) => refusalOf(request, key),
    eventsOf,
    refused,
    errorEvent: () => event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    unknownEvent: () => event({ type: 'message_annotation', annotation: { kind: 'new' } }),
  };
}

function refusalOf({ headers, body }: ReceivedRequest, key: string): Refused | null {
  if (headers['x-api-key'] !== key) return refused(401);
  if (headers['anthropic-version'] === undefined) return refused(400, 'anthropic-version');
  if (String(body['model']).startsWith('unknown')) return refused(404);
  if (typeof body['max_tokens'] !== 'number') return refused(400, 'max_tokens');
  const temperature = body['temperature'] as number | undefined;
  if (temperature !== undefined && (temperature < 0 || temperature > 1)) return refused(400, 'temperature');
  if ((body['tools'] as unknown[] | undefined)?.length === 0) return refused(400, 'tools');
  const messages = (body['messages'] ?? []) as { role: string; content: string | Block[] }[];
  if (messages[0]?.role !== 'user') return refused(400, 'messages.0.role');
  return messageProblem(messages.map(({ role, content }) => ({ role, blocks: blocksOf(content) })));
}

const blocksOf = (content: string | Block[]): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/**
 * Checks that each tool use is answered at the beginning of the next message, and that only results of tool uses are
 * there.
 */
function messageProblem(messages: readonly { role: string; blocks: Block[] }[]): Refused | null {
  for (const [i, { blocks }] of messages.entries()) {
    if (blocks.some(({ type, text }) => type === 'text' && !text))
      return refused(400, `messages.${i}.content`);
    const before = messages[i - 1]?.blocks ?? [];
    const used = before.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    const beginning = blocks.slice(0, used.length).map(({ tool_use_id }) => tool_use_id);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const isPaired = results.length === used.length && used.every((id) => beginning.includes(id));
    if (!isPaired) return refused(400, `messages.${i}.content.0`);
  }
  const last = messages.at(-1);
  return last?.role === 'user' ? null : refused(400, 'messages');
}

function refused(status: number, field = ''): Refused {
  const error = { type: TYPES[status] ?? 'api_error', message: `emulated ${field}` };
  return { status, body: JSON.stringify({ type: 'error', error, request_id: 'req_1' }) };
}

function eventsOf({ text = [], calls = [], reasoning = [], finish }: ModelTurn): string[] {
  let index = -1;
  const block = (content_block: object, deltas: object[]) => {
    index += 1;
    return [
      event({ type: 'content_block_start', index, content_block }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ];
  };
  const thoughts = reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }));
  const usage = {
    input_tokens: 12,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 8,
    output_tokens: 1,
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'emulated', content: [], usage };
  const stop_reason = finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
  return [
    event({ type: 'message_start', message }),
    event({ type: 'ping' }),
    ...(thoughts.length === 0
      ? []
      : block({ type: 'thinking', thinking: '' }, [
          ...thoughts,
          { type: 'signature_delta', signature: 'c2ln' },
        ])),
    ...(text.length === 0
      ? []
      : block(
          { type: 'text', text: '' },
          text.map((piece) => ({ type: 'text_delta', text: piece })),
        )),
    ...calls.flatMap(({ id, name, arguments: args }, i) => {
      const json = JSON.stringify(args);
      const pieces = [json.slice(0, 3), json.slice(3)];
      const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      return block({ type: 'tool_use', id: id ?? `toolu_${i}`, name, input: {} }, deltas);
    }),
    event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    event({ type: 'message_stop' }),
  ];
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
