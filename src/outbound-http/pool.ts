import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, buildConnector, errors, type Dispatcher } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import type { SsrfGuard } from './ssrf-guard.js';

/* The connection pools of outbound HTTP requests, over undici. Requests are made by `send` and `createFetch`. */

/** The default for opening a connection: name resolution, connection and TLS. */
const CONNECT_TIMEOUT_MS = 1_500;
/** How long an idle connection is kept: less than the minute after which most servers and load balancers close it. */
const KEEP_ALIVE_MS = 55_000;
/** The default of `HttpPoolOptions.silenceTimeoutMs`. */
const SILENCE_TIMEOUT_MS = 30_000;
/**
 * Of a host with several addresses, each address but the last is tried for a quarter of the connect timeout. Node's
 * default of 250 ms is too short for an intercontinental handshake, or for one lost packet.
 */
const ADDRESS_TIMEOUT_DIVISOR = 4;
/**
 * undici's timers are only precise to half a second, so a timer of this module limits connecting. undici's own connect
 * timeout is later by this.
 */
const UNDICI_MARGIN_MS = 1_000;

/** Options of a pool. */
export interface HttpPoolOptions {
  clock: Clock;
  /** Checks every address before a connection, for URLs of customers. Without it, all addresses are allowed. */
  guard?: SsrfGuard;
  /** Refuses `http:`. */
  httpsOnly?: boolean;
  /** The timeout of name resolution, connection and TLS together; 1.5 s by default. */
  connectTimeoutMs?: number;
  /** The timeout of each address of a host but the last; a quarter of the connect timeout by default. */
  addressTimeoutMs?: number;
  /** How long an idle connection is kept; 55 s by default, less if the server says so. */
  keepAliveMs?: number;
  /** The longest silence before the headers, and between two parts of a body; 30 s by default. */
  silenceTimeoutMs?: number;
  /** Certificate authorities (PEM) trusted in addition to those of Node. */
  trustedCertificates?: readonly string[];
  /** Resolves names if there is no guard; by default the operating system does. */
  lookup?: LookupFunction;
}

/** A connection pool. A request takes an idle connection or opens another; it never waits for a connection in use. */
export interface HttpPool {
  readonly dispatcher: Dispatcher;
  /** Closes all connections and fails running requests. Idempotent. */
  close(): Promise<void>;
}

/** Opens a pool. It follows no redirects, uses no proxies of the environment, and neither decompresses nor retries. */
export function openHttpPool(options: HttpPoolOptions): HttpPool {
  const { keepAliveMs = KEEP_ALIVE_MS, silenceTimeoutMs = SILENCE_TIMEOUT_MS } = options;
  const agent = new Agent({
    connect: createConnector(options),
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: silenceTimeoutMs,
    bodyTimeout: silenceTimeoutMs,
  });
  return { dispatcher: agent, close: () => agent.destroy() };
}

/** The function with which undici opens connections: with guard, timeouts and certificates. */
function createConnector(options: HttpPoolOptions): buildConnector.connector {
  const { clock, guard, httpsOnly = false, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const trustedCertificates = options.trustedCertificates ?? [];
  const lookup = guard ? pinnedLookup(guard) : options.lookup;
  const openConnection = buildConnector({
    timeout: connectTimeoutMs + UNDICI_MARGIN_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout:
      options.addressTimeoutMs ?? Math.ceil(connectTimeoutMs / ADDRESS_TIMEOUT_DIVISOR),
    ...(lookup && { lookup }),
    // Created once: parsing all certificate authorities takes milliseconds.
    ...(trustedCertificates.length > 0 && {
      secureContext: createSecureContext({ ca: [...rootCertificates, ...trustedCertificates] }),
    }),
  });
  const checkLiteralAddress = callbackify(async (hostname: string) => {
    // Node calls `lookup` for names only; a literal address is checked here.
    if (guard && isIP(hostname)) await guard.resolve(hostname);
  });
  return (target, callback) => {
    if (httpsOnly && target.protocol !== 'https:') return callback(new Error('only https is allowed'), null);
    const timedCallback = withTimeout({ clock, connectTimeoutMs, hostname: target.hostname }, callback);
    if (!guard) return openConnection(target, timedCallback);
    checkLiteralAddress(target.hostname, (error) =>
      error ? timedCallback(error, null) : openConnection(target, timedCallback),
    );
  };
}

/** Wraps the callback of a connection attempt with a timeout; a connection that opens after the timeout is closed. */
function withTimeout(
  { clock, connectTimeoutMs, hostname }: { clock: Clock; connectTimeoutMs: number; hostname: string },
  callback: buildConnector.Callback,
): buildConnector.Callback {
  let isOver = false;
  const cancel = clock.after(connectTimeoutMs, () => {
    isOver = true;
    callback(new errors.ConnectTimeoutError(`no connection to ${hostname} in ${connectTimeoutMs} ms`), null);
  });
  return (...result) => {
    const [, socket] = result;
    if (isOver) return void socket?.destroy();
    cancel();
    callback(...result);
  };
}

/**
 * A `lookup` that gives Node the addresses that the guard has checked. The name is not resolved again, which prevents
 * DNS rebinding.
 */
export function pinnedLookup(guard: SsrfGuard): LookupFunction {
  const resolve = callbackify((hostname: string) => guard.resolve(hostname));
  return (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
}
