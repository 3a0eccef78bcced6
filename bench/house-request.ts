/** A house that answers, and a key that it takes. */
export interface Door {
  origin: string;
  apiKey: string;
}

/** Asks the house for something. @throws Error with its words for any answer but a success */
export async function ask(door: Door, method: string, path: string, body?: string): Promise<unknown> {
  const headers = { 'x-api-key': door.apiKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(door.origin + path, { method, headers, ...(body && { body }) });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

/** Has the house make something. Its fields. */
export async function create(door: Door, path: string, fields: object): Promise<Record<string, unknown>> {
  return (await ask(door, 'POST', path, JSON.stringify(fields))) as Record<string, unknown>;
}
