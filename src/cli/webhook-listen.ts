import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { toInstant } from '#kernel/time/clock.js';
import { makeFolder } from '#kernel/system/make-folder.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { makeLocalCertificate, type LocalCertificate } from '#webhooks/local-certificate.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { UsageError, type Command, type CommandContext, type CommandArguments } from './command.js';

const USUAL_PORT = 9443;
const HOSTS = ['localhost', '127.0.0.1', '::1'];
const FOLDER = 'webhook-listener';
const LARGEST_BODY_BYTES = 11 * 1024 * 1024;

/** A webhook receiver for tests: shows events and verifies their signatures. */
export const webhookListenCommand: Command = {
  name: 'webhook listen',
  summary: 'Receives events on a local HTTPS port, verifies them and shows them.',
  operands: [],
  options: {
    port: { type: 'string', docs: `Port to listen on (default: ${USUAL_PORT}; 0 takes any free one).` },
    secret: { type: 'string', docs: 'Secret of the webhook; without it signatures are not verified.' },
  },
  async run(context, args) {
    const secret = args.options['secret'] === undefined ? null : String(args.options['secret']);
    const folder = join(context.config.dataDir, FOLDER);
    const { key, certificate } = await keptCertificate(folder);
    const server = createServer({ key, cert: certificate }, (request, response) => {
      receive(context, secret, request, response).catch(() => response.destroy());
    });
    await once(server.listen(portOf(args), '127.0.0.1'), 'listening').catch((error: unknown) => {
      throw new Error(describeSystemError(error, '--port'), { cause: error });
    });
    const { port } = server.address() as AddressInfo;
    context.print(`Listening. Register this address: https://localhost:${port}/`);
    context.print(`The service trusts it with this setting: WEBHOOK_CA_FILE=${certificateFile(folder)}`);
    if (secret === null) context.print('Signatures are not verified: give the secret with --secret.');
    await once(server, 'close');
    return 0;
  },
};

async function receive(
  context: CommandContext,
  secret: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const signature = String(request.headers['x-service-signature'] ?? '');
  const isGood = secret === null || verifyBody(secret, body, signature);
  const verdict = secret === null ? 'not verified' : isGood ? 'signature good' : 'SIGNATURE WRONG';
  const { 'x-service-event': event = 'no event', 'webhook-id': id = 'no id' } = request.headers;
  context.print(`\n${toInstant(context.clock.wallMs())}  ${String(event)}  ${String(id)}  ${verdict}`);
  context.print(readable(body));
  response.writeHead(isGood ? 200 : 401).end();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > LARGEST_BODY_BYTES) throw new Error('the body is larger than any event');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** JSON on several lines; other bodies as a JSON string, without control characters for the terminal. */
function readable(body: Buffer): string {
  const text = body.toString();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return JSON.stringify(text);
  }
}

function portOf({ options }: CommandArguments): number {
  const given = String(options['port'] ?? USUAL_PORT);
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError('--port: must be a whole number from 0 to 65535');
}

/** The same certificate every time, so that the service has to trust it once. */
async function keptCertificate(folder: string): Promise<LocalCertificate> {
  const keyFile = join(folder, 'key.pem');
  try {
    const [key, certificate] = await Promise.all([
      readFile(keyFile, 'utf8'),
      readFile(certificateFile(folder), 'utf8'),
    ]);
    return { key, certificate };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = await makeLocalCertificate(HOSTS);
  makeFolder(folder);
  await writeFile(keyFile, made.key, { mode: 0o600 });
  await writeFile(certificateFile(folder), made.certificate);
  return made;
}

function certificateFile(folder: string): string {
  return join(folder, 'certificate.pem');
}
