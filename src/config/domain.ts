/** Where a domain is reached: encrypted, unless it is this very machine. */
export function publicUrlOf(domain: string): string {
  return `${isThisMachine(domain) ? 'http' : 'https'}://${domain}`;
}

/** Whether a domain, with or without a port, is reached from this machine alone. */
export function isThisMachine(domain: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(domain);
}
