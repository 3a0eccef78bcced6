/** The base URL of a domain: https, except for this machine. */
export function publicUrlOf(domain: string): string {
  return `${isThisMachine(domain) ? 'http' : 'https'}://${domain}`;
}

/** True if a domain, with or without port, is this machine. */
export function isThisMachine(domain: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(domain);
}
