/** The error in a body of OpenAI or a compatible server; FastAPI uses `detail`. */
export function errorOfOpenAi(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return error ?? detail ?? body;
}
