/**
 * The WebSocket URL of a vendor's recogniser: base URL (`https:` becomes `wss:`), path and query. A list becomes one
 * parameter per item; null leaves the parameter out. Used by every recogniser with a socket.
 */
export function socketUrl(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, string | number | boolean | readonly string[] | null>>,
): string {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value)
      ? (value as readonly string[])
      : value === null
        ? []
        : [String(value)];
    for (const item of values) url.searchParams.append(name, item);
  }
  return url.href;
}
