import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, buildConnector, errors, type Dispatcher } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import type { AddressGuard } from './address-guard.js';

const CONNECT_TIMEOUT_MS = 1_500;
/** A little under the minute for which most servers and load balancers keep an idle connection. */
const KEEP_ALIVE_MS = 55_000;
const SILENCE_TIMEOUT_MS = 30_000;
/**
 * The connect timeout is divided into so many parts: each address of a host but the last has one of them. The 250 ms
 * of Node are less than a handshake across the world takes, or one lost packet.
 */
const ADDRESS_SHARES = 4;
/** undici's own timers are only precise to half a second: they come after ours and clean up. */
const CLEANUP_MS = 1_000;

/** Where a pool may connect to, and for how long it waits. All times are milliseconds. */
export interface HttpPoolOptions {
  clock: Clock;
  /** Judges every address before it is connected to: for URLs that customers give. Without it, all are allowed. */
  guard?: AddressGuard;
  /** Refuses `http:`. */
  httpsOnly?: boolean;
  /** For the name, the connection and TLS together; 1.5 s by default. */
  connectTimeoutMs?: number;
  /** For each address of a host but the last; a quarter of the connect timeout by default. */
  addressTimeoutMs?: number;
  /** How long an idle connection is kept; 55 s by default, less where the server asks for it. */
  keepAliveMs?: number;
  /** How long a server may send nothing, before its headers and between two parts of a body; 30 s by default. */
  silenceTimeoutMs?: number;
  /** Certificate authorities (PEM) trusted in addition to those of Node. */
  trustedCertificates?: readonly string[];
  /** Finds the addresses of a name where there is no guard; the operating system by default. */
  lookup?: LookupFunction;
}

/** Connections to other servers. A request takes an idle one, or opens another: none waits for one that is in use. */
export interface HttpPool {
  readonly dispatcher: Dispatcher;
  /** Drops every connection and fails the requests under way. Closing twice is harmless. */
  close(): Promise<void>;
}

/** A pool without redirects, proxies of the environment, decompression or retries. */
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

function createConnector(options: HttpPoolOptions): buildConnector.connector {
  const { clock, guard, httpsOnly = false, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const extra = options.trustedCertificates ?? [];
  const lookup = guard ? pinnedLookup(guard) : options.lookup;
  const connect = buildConnector({
    timeout: connectTimeoutMs + CLEANUP_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: options.addressTimeoutMs ?? Math.ceil(connectTimeoutMs / ADDRESS_SHARES),
    ...(lookup && { lookup }),
    // Made once: reading the whole list of authorities for each connection would cost milliseconds.
    ...(extra.length > 0 && { secureContext: createSecureContext({ ca: [...rootCertificates, ...extra] }) }),
  });
  const judge = callbackify(async (hostname: string) => {
    // Node looks up names only; an address in the URL is judged here.
    if (guard && isIP(hostname)) await guard.resolve(hostname);
  });
  return (target, callback) => {
    if (httpsOnly && target.protocol !== 'https:') return callback(new Error('only https is allowed'), null);
    const timed = withinTime({ clock, connectTimeoutMs, hostname: target.hostname }, callback);
    if (!guard) return connect(target, timed);
    judge(target.hostname, (error) => (error ? timed(error, null) : connect(target, timed)));
  };
}

/** The callback for a connection attempt that fails when its time has passed; a later connection is dropped. */
function withinTime(
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

/** Hands the connection the very addresses that were judged: a name server cannot change its answer in between. */
export function pinnedLookup(guard: AddressGuard): LookupFunction {
  const resolve = callbackify((hostname: string) => guard.resolve(hostname));
  return (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
}
