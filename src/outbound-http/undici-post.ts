import { setMaxListeners } from 'node:events';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { LookupFunction } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import type { AddressGuard } from './address-guard.js';
import { Exchange } from './exchange.js';
import type { PostClient } from './post.js';

/** How much of an answer is usually kept. */
const KEPT_BYTES = 2 * 1024;
/** Shorter than most receivers keep a connection: one that they close as we write would cost a retry. */
const IDLE_MS = 4_000;
/** The library's own timers tick twice in a second, and end too early: they only close what our clock gave up. */
const AFTERWARDS_MS = 1_000;
/**
 * Into so many parts the time is divided: each of several addresses but the last has one to be connected. Node's own
 * quarter of a second is less than the other side of the world, or one lost packet, takes.
 */
const ADDRESS_TURNS = 4;

/** What the sender of requests is told. */
export interface UndiciPostOptions {
  /** For name, connection, headers and body together. */
  timeoutMs: number;
  /** Certificates (PEM) that are trusted beside the usual ones. */
  trustedCertificates: readonly string[];
  /** How much of an answer's body is handed back; 2 KiB when it is not said, 16 KiB at most. */
  keptBytes?: number;
}

/** Sends with undici: over connections that the guard allowed, without redirects, proxies or decompression. */
export function openPostClient(
  options: UndiciPostOptions,
  parts: { guard: AddressGuard; clock: Clock },
): PostClient {
  const { keptBytes = KEPT_BYTES } = options;
  const agent = new Agent({
    connect: guardedConnector(options, parts.guard),
    // How many requests are under way is decided by the sender; a slow path of a host must not hold up another.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: options.timeoutMs + AFTERWARDS_MS,
    bodyTimeout: options.timeoutMs + AFTERWARDS_MS,
  });
  return {
    post: (request, stop) =>
      new Promise((resolve) => {
        const { url, headers, body } = request;
        const { origin, pathname, search } = new URL(url);
        const exchange = new Exchange(keptBytes, (result) => {
          cancel();
          stop.removeEventListener('abort', callOff);
          resolve(result);
        });
        const cancel = parts.clock.after(options.timeoutMs, () => exchange.callOff('timeout'));
        const callOff = () => exchange.callOff('stopped');
        // One order to stop is for every request that is under way; Node would take so many listeners for a leak.
        setMaxListeners(0, stop);
        stop.addEventListener('abort', callOff, { once: true });
        if (stop.aborted) return callOff();
        agent.dispatch({ method: 'POST', origin, path: pathname + search, headers, body }, exchange);
      }),
    close: () => agent.destroy(),
  };
}

function guardedConnector(options: UndiciPostOptions, guard: AddressGuard): buildConnector.connector {
  const extra = options.trustedCertificates;
  const connect = buildConnector({
    timeout: options.timeoutMs + AFTERWARDS_MS,
    lookup: pinnedLookup(guard),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(options.timeoutMs / ADDRESS_TURNS),
    // Made once: reading the whole list of authorities for each connection would cost milliseconds.
    ...(extra.length > 0 && { secureContext: createSecureContext({ ca: [...rootCertificates, ...extra] }) }),
  });
  const judge = callbackify(async (hostname: string) => {
    // For an address in the URL no name is looked up, so it is judged here.
    if (isIP(hostname)) await guard.resolve(hostname);
  });
  return (target, callback) => {
    if (target.protocol !== 'https:') return callback(new Error('only https is spoken here'), null);
    judge(target.hostname, (error) => (error ? callback(error, null) : connect(target, callback)));
  };
}

/** Hands the connection the very addresses that were judged: a name server cannot change its mind in between. */
function pinnedLookup(guard: AddressGuard): LookupFunction {
  const resolve = callbackify((hostname: string) => guard.resolve(hostname));
  return (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
}
