/** The thrown value if it is an `Error`, else an `Error` with its text: JavaScript can throw any value. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
