import type { ModelDialect, ModelTurn, ReceivedRequest, Refused } from './model-emulator.js';

interface Part {
  text?: string;
  functionCall?: { name: string };
  functionResponse?: { name: string; response: unknown };
  thoughtSignature?: string;
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
/** The signature of Gemini 3's calls, which must be sent back. */
export const SIGNATURE = 'c2lnbmF0dXJl';
/** Placeholder for calls of another model, which have no signature. */
const UNSIGNED = 'skip_thought_signature_validator';

/** `streamGenerateContent` with the checks and streaming of Google's service. */
export function gemini(key: string): ModelDialect {
  return {
    refuse: (request) => refusalOf(request, key),
    eventsOf: (turn, { path }) => eventsOf(turn, path.includes('gemini-3')),
    refused,
    errorEvent: () => event({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
    unknownEvent: () => event({ serverTiming: { ms: 3 } }),
  };
}

function refusalOf({ headers, path, body }: ReceivedRequest, key: string): Refused | null {
  if (headers['x-goog-api-key'] !== key) return refused(401);
  if (!/\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(path)) return refused(404);
  if (path.includes('/unknown')) return refused(404);
  const contents = (body['contents'] ?? []) as { role: string; parts: Part[] }[];
  if (contents[0]?.role !== 'user') return refused(400, 'contents[0].role');
  for (const [i, { parts }] of contents.entries()) {
    const called = (contents[i - 1]?.parts ?? []).flatMap(({ functionCall }) => functionCall?.name ?? []);
    const answered = parts.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
    if (called.join() !== answered.join()) return refused(400, `contents[${i}].parts`);
    const signed = parts.find(({ functionCall }) => functionCall)?.thoughtSignature;
    const calls = parts.some(({ functionCall }) => functionCall);
    if (path.includes('gemini-3') && calls && signed !== SIGNATURE && signed !== UNSIGNED)
      return refused(400, 'Function call is missing a thought_signature');
    if (parts.some((part) => part.functionResponse && typeof part.functionResponse.response !== 'object'))
      return refused(400, 'function_response.response');
  }
  return contents.at(-1)?.role === 'user' ? null : refused(400, 'contents');
}

function refused(status: number, message = 'emulated'): Refused {
  const error = { code: status, message, status: STATUSES[status] ?? 'INTERNAL' };
  return { status, body: JSON.stringify({ error }) };
}

function eventsOf({ text = [], calls = [], reasoning = [], finish }: ModelTurn, signs: boolean): string[] {
  const usageMetadata = {
    promptTokenCount: 20,
    candidatesTokenCount: 5,
    totalTokenCount: 25,
    cachedContentTokenCount: 8,
  };
  const chunk = (parts: object[], finishReason?: string) =>
    event({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
      usageMetadata,
      modelVersion: 'emulated',
      responseId: 'r1',
    });
  const said = [
    ...reasoning.map((piece) => [{ text: piece, thought: true }]),
    ...text.map((piece) => [{ text: piece }]),
    ...calls.map(({ name, arguments: args }, i) => [
      { functionCall: { name, args }, ...(signs && i === 0 && { thoughtSignature: SIGNATURE }) },
    ]),
  ];
  return [...said.map((parts) => chunk(parts)), chunk([{ text: '' }], finish ?? 'STOP')];
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}
