import { EventEmitter, setMaxListeners } from 'node:events';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { LookupFunction } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import type { Clock } from '../kernel/clock.js';
import type { AddressGuard } from './address-guard.js';
import { outcomeOfError } from './failures.js';
import { outcomeOfStatus } from './outcome.js';
import type { PostOffice, PostRequest, PostResult } from './post.js';

/** How much of an answer is read, and how much of that is usually kept. */
const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 2 * 1024;
/** Shorter than most receivers keep a connection: one that they close as we write would cost a retry. */
const IDLE_MS = 4_000;

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
export function openPostOffice(
  options: UndiciPostOptions,
  parts: { guard: AddressGuard; clock: Clock },
): PostOffice {
  const { keptBytes = KEPT_BYTES } = options;
  const agent = new Agent({
    connect: guardedConnector(options, parts.guard),
    // How many requests are under way is decided by the sender; a slow path of a host must not hold up another.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });
  return {
    async post(letter, stop) {
      // As good as an abort signal to undici, and much cheaper to make for each request.
      const deadline = new EventEmitter();
      let isOver = false;
      const abort = () => {
        isOver = true;
        deadline.emit('abort');
      };
      const cancel = parts.clock.after(options.timeoutMs, abort);
      // One order to stop is for every request that is under way; Node would take so many listeners for a leak.
      setMaxListeners(0, stop);
      stop.addEventListener('abort', abort, { once: true });
      try {
        if (stop.aborted) return unanswered('stopped');
        return await exchange(agent, letter, { signal: deadline, keptBytes });
      } catch (error) {
        if (stop.aborted) return unanswered('stopped');
        return unanswered(isOver ? 'timeout' : outcomeOfError(error));
      } finally {
        cancel();
        stop.removeEventListener('abort', abort);
      }
    },
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  letter: PostRequest,
  { signal, keptBytes }: { signal: EventEmitter; keptBytes: number },
): Promise<PostResult> {
  const { url, headers, body } = letter;
  const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
  const responseBody = await readBeginning(answer, keptBytes);
  const retryAfter = answer.headers['retry-after'];
  return {
    outcome: outcomeOfStatus(answer.statusCode),
    statusCode: answer.statusCode,
    responseBody,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}

function unanswered(outcome: PostResult['outcome']): PostResult {
  return { outcome, statusCode: null, responseBody: null, retryAfter: null };
}

/** Reads no more than is allowed, and makes of it a text that every database keeps. */
async function readBeginning(
  { body, headers }: Dispatcher.ResponseData,
  keptBytes: number,
): Promise<string | null> {
  const beginning = await takeBeginning(body);
  if (beginning.length === 0) return null;
  if (headers['content-encoding'] !== undefined) return `(${beginning.length} bytes, compressed)`;
  return beginning.subarray(0, keptBytes).toString().replaceAll('\0', '�');
}

/** Listens, because iterating over a stream costs several times as much, and most answers are a word. */
function takeBeginning(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = () => resolve(Buffer.concat(chunks));
    body.on('error', reject);
    body.on('end', finish);
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes < READ_BYTES) return;
      finish();
      // This drops the connection, and with it what more the receiver had to say.
      body.destroy();
    });
  });
}

function guardedConnector(options: UndiciPostOptions, guard: AddressGuard): buildConnector.connector {
  const extra = options.trustedCertificates;
  const connect = buildConnector({
    timeout: options.timeoutMs,
    lookup: pinnedLookup(guard),
    autoSelectFamily: true,
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
