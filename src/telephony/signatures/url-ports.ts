/** The parts of a URL, without changing its spelling as `URL` would. */
const URL_PARTS = /^(?<scheme>[a-z][a-z0-9+.-]*:)\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is;
const PORT = /:\d*$/;
const DEFAULT_PORTS: Record<string, string> = { 'https:': ':443', 'wss:': ':443' };

/**
 * The two forms of a URL that Twilio or SignalWire may have signed: without a port, and with one (its own, or the
 * default of its scheme). The rest keeps its spelling, which is part of the signed text. A text that is no URL is
 * returned alone.
 */
export function withAndWithoutPort(url: string): string[] {
  const parts = URL_PARTS.exec(url)?.groups;
  if (!parts) return [url];
  const { scheme, authority, rest } = parts as Record<'scheme' | 'authority' | 'rest', string>;
  const host = authority.replace(PORT, '');
  const port = PORT.exec(authority)?.[0] ?? DEFAULT_PORTS[scheme.toLowerCase()] ?? ':80';
  return [`${scheme}//${host}${rest}`, `${scheme}//${host}${port}${rest}`];
}
