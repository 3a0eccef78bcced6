/** Where a request goes, as undici takes it. */
export interface RequestTarget {
  origin: string;
  path: string;
}

/**
 * Divides the URL of a request.
 * @throws Error that does not repeat the URL, which may hold a key; those of Node do
 */
export function requestTarget(url: string): RequestTarget {
  if (!URL.canParse(url)) throw new Error('the address is not a URL');
  const { origin, pathname, search, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new Error('the address has credentials in it');
  return { origin, path: pathname + search };
}
