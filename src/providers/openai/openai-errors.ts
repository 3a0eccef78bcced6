/**
 * The error in the answer of a speech endpoint at OpenAI or a compatible server, for `refusalOf`. OpenAI has it in
 * `error`, servers made with FastAPI in `detail`; any other object is taken as the error itself. Null if the body is no
 * object.
 */
export function errorOfOpenAi(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return error ?? detail ?? body;
}
