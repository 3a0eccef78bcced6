const ADDRESS = /^(?<scheme>[a-z][a-z0-9+.-]*:)\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is;
const PORT = /:\d*$/;
const USUAL_PORTS: Record<string, string> = { 'https:': ':443', 'wss:': ':443' };

/**
 * An address without a port and with one (its own or its scheme's default): Twilio signs either. The rest keeps its
 * spelling, which was signed.
 */
export function withAndWithoutPort(url: string): string[] {
  const parts = ADDRESS.exec(url)?.groups;
  if (!parts) return [url];
  const { scheme, authority, rest } = parts as Record<'scheme' | 'authority' | 'rest', string>;
  const host = authority.replace(PORT, '');
  const port = PORT.exec(authority)?.[0] ?? USUAL_PORTS[scheme.toLowerCase()] ?? ':80';
  return [`${scheme}//${host}${rest}`, `${scheme}//${host}${port}${rest}`];
}
