/** Where OpenAI, and what speaks its dialect, writes what is wrong; FastAPI writes `detail`. */
export function errorOfOpenAi(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return error ?? detail ?? body;
}
