/** The base URL of a domain of the setting SERVER_DOMAIN: https, except for this machine (`http://localhost:8010`). */
export function publicUrlOf(domain: string): string {
  return `${isThisMachine(domain) ? 'http' : 'https'}://${domain}`;
}

/** True if a domain, with or without port, is this machine. */
export function isThisMachine(domain: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(domain);
}
