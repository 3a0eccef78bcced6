/** Changes to a library's requests that its own settings do not allow. */

/** Sets headers; null removes a header of the library. */
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

/** Fields that an agent's settings cannot override. */
const FIXED_FIELDS = ['messages', 'contents', 'tools', 'stream'];

/** Adds fields to a JSON body, overriding those of the library. */
export function withBody(
  fetch: typeof globalThis.fetch,
  extra: Readonly<Record<string, unknown>> | undefined,
): typeof globalThis.fetch {
  if (extra === undefined || Object.keys(extra).length === 0) return fetch;
  const set = Object.fromEntries(Object.entries(extra).filter(([field]) => !FIXED_FIELDS.includes(field)));
  return (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init);
    const body = { ...(JSON.parse(init.body) as Record<string, unknown>), ...set };
    return fetch(input, { ...init, body: JSON.stringify(body) });
  };
}

/** Sets headers that depend on the final body, or must be looked up. */
export function withPreparedHeaders(
  fetch: typeof globalThis.fetch,
  prepare: (body: string) => Promise<Readonly<Record<string, string>>>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    return withHeaders(fetch, await prepare(body))(input, init);
  };
}
