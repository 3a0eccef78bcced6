import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { systemClock } from '#kernel/time/clock.js';
import type { S3Settings } from '#object-storage/s3-settings.js';
import { judgeSignature } from './object-signatures.js';
import { temporaryFolder } from './temporary-folder.js';

/** An answer in the place of the storage's, a connection that is cut, silence, or null: the storage answers. */
export type Fault = (request: IncomingMessage) => Refusal | 'reset' | 'silent' | null;

/** An error of S3. */
export interface Refusal {
  status: number;
  code: string;
}

/** The environment of a service that stores its recordings there. */
export function storageEnvironment({ settings }: TestObjectStore): Record<string, string> {
  return {
    S3_ENDPOINT: settings.endpoint,
    S3_REGION: settings.region,
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    S3_PREFIX: settings.prefix,
  };
}

export interface TestObjectStore {
  settings: S3Settings;
  /** The requests received, such as `PUT /recordings/key`. */
  readonly requests: string[];
  /** Sets the fault for further requests. */
  fail(fault: Fault | null): void;
  close(): Promise<void>;
}

const BUCKET = 'recordings';
const ACCESS_KEY_ID = 'AKIDOFTESTS';
const SECRET_ACCESS_KEY = 'a-secret-of-tests';

/**
 * An S3 server (s3rver) behind a proxy that verifies every signature with AWS's library and injects faults. Its host
 * names must resolve to 127.0.0.1.
 */
export async function startObjectStore(
  style: S3Settings['style'] = 'path',
  now: () => number = () => systemClock.wallMs(),
): Promise<TestObjectStore> {
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: temporaryFolder(),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port: storePort } = await store.run();
  const requests: string[] = [];
  let fault: Fault | null = null;
  const answerRequest = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(incoming);
    const made = fault?.(incoming) ?? null;
    if (made === 'silent') return;
    if (made === 'reset') return void incoming.socket.destroy();
    const keys = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY, now };
    const refusal = made ?? (await judgeSignature(incoming, body, keys));
    if (refusal) return refuse(answer, refusal);
    const path = pathInStore(incoming);
    requests.push(`${incoming.method} ${path}`);
    forward({ incoming, path, body, port: storePort }, answer);
  };
  const proxy = createServer((incoming, answer) => void answerRequest(incoming, answer));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    settings: {
      endpoint: `http://${style === 'path' ? '127.0.0.1' : 'storage.test'}:${port}`,
      region: 'eu-central-1',
      bucket: BUCKET,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: SECRET_ACCESS_KEY,
      prefix: 'calls/',
      style,
      encryption: null,
    },
    requests,
    fail: (next) => (fault = next),
    close: async () => {
      await closed(proxy);
      await store.close();
    },
  };
}

/** The storage supports paths only: a bucket in the host name becomes part of the path. */
function pathInStore({ url, headers }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url!, 'http://storage.test');
  for (const name of Array.from(searchParams.keys()))
    if (/^(x-amz|response)-/i.test(name)) searchParams.delete(name);
  const bucket = headers.host!.startsWith(`${BUCKET}.`) ? `/${BUCKET}` : '';
  const query = searchParams.toString().replace(/=(?=&|$)/g, '');
  return `${bucket}${pathname}${query === '' ? '' : `?${query}`}`;
}

function refuse(answer: ServerResponse, { status, code }: Refusal): void {
  answer
    .writeHead(status, { 'content-type': 'application/xml', connection: 'close' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

function forward(
  { incoming, path, body, port }: { incoming: IncomingMessage; path: string; body: Buffer; port: number },
  answer: ServerResponse,
): void {
  const { authorization: _verified, host: _named, ...headers } = incoming.headers;
  const forwarded = request({ host: '127.0.0.1', port, method: incoming.method, path, headers }, (stored) => {
    // The storage itself would set this only for requests that it has verified.
    const { searchParams } = new URL(incoming.url!, 'http://storage.test');
    const disposition = searchParams.get('response-content-disposition');
    if (disposition !== null) answer.setHeader('content-disposition', disposition);
    answer.writeHead(stored.statusCode!, stored.headers);
    stored.pipe(answer);
  });
  forwarded.on('error', () => answer.destroy());
  forwarded.end(body);
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
