import type { Config } from './config.js';

/** Where a domain is reached: encrypted, unless it is this very machine. */
export function addressesOf(serverDomain: string): Pick<Config, 'publicUrl'> {
  const secure = isThisMachine(serverDomain) ? '' : 's';
  return { publicUrl: `http${secure}://${serverDomain}` };
}

/** Whether a domain, with or without a port, is reached from this machine alone. */
export function isThisMachine(domain: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(domain);
}
