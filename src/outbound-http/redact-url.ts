/** A URL as errors and logs may show it: without credentials and query, where some APIs take their keys. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return '(no URL)';
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}
