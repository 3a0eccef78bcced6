/**
 * The error in a body of OpenAI's or a compatible server's speech endpoints, for `refusalOf`. FastAPI servers put it
 * into `detail`; null if the body is no object.
 */
export function errorOfOpenAi(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return error ?? detail ?? body;
}
