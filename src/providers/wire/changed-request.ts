/**
 * Wrappers of `fetch` that change the requests of an AI SDK package where the package's own settings do not allow it.
 * Providers of language models pass the wrapped function to the package.
 */

/** Sets headers; null removes a header of the package. */
export function withHeaders(
  fetch: typeof globalThis.fetch,
  changes: Readonly<Record<string, string | null>>,
): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return fetch(input, { ...init, headers });
  };
}

/** Fields of a body that an agent's additional fields (`extraBody`) cannot override: the service depends on them. */
const FIXED_FIELDS = ['messages', 'contents', 'tools', 'stream'];

/** Adds fields to a JSON body, overriding those of the package except {@link FIXED_FIELDS}. */
export function withBody(
  fetch: typeof globalThis.fetch,
  extra: Readonly<Record<string, unknown>> | undefined,
): typeof globalThis.fetch {
  if (extra === undefined || Object.keys(extra).length === 0) return fetch;
  const allowed = Object.fromEntries(
    Object.entries(extra).filter(([field]) => !FIXED_FIELDS.includes(field)),
  );
  return (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init);
    const body = { ...(JSON.parse(init.body) as Record<string, unknown>), ...allowed };
    return fetch(input, { ...init, body: JSON.stringify(body) });
  };
}

/** Sets headers that depend on the final body (a signature), or must be looked up first (secrets). */
export function withPreparedHeaders(
  fetch: typeof globalThis.fetch,
  prepare: (body: string) => Promise<Readonly<Record<string, string>>>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    return withHeaders(fetch, await prepare(body))(input, init);
  };
}
