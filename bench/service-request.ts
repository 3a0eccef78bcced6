/** A service that answers, and a key that it takes. */
export interface Endpoint {
  origin: string;
  apiKey: string;
}

/** Asks the service for something. @throws Error with its words for any answer but a success */
export async function ask(endpoint: Endpoint, method: string, path: string, body?: string): Promise<unknown> {
  const headers = { 'x-api-key': endpoint.apiKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(endpoint.origin + path, { method, headers, ...(body && { body }) });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

/** Has the service make something. Its fields. */
export async function create(
  endpoint: Endpoint,
  path: string,
  fields: object,
): Promise<Record<string, unknown>> {
  return (await ask(endpoint, 'POST', path, JSON.stringify(fields))) as Record<string, unknown>;
}
