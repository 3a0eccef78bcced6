import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { toInstant } from '#kernel/time/clock.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { keptListenerCertificate } from '#webhooks/local-certificate.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { UsageError, type Command, type CommandContext, type CommandArguments } from './command.js';

const DEFAULT_PORT = 9443;
/** The largest accepted body, above the largest event. */
const MAX_BODY_BYTES = 11 * 1024 * 1024;

/**
 * The command `webhook listen`: a webhook receiver for developers, which shows the events of a service and verifies
 * their signatures. It runs until it is interrupted.
 */
export const webhookListenCommand: Command = {
  name: 'webhook listen',
  summary: 'Receives events on a local HTTPS port, verifies them and shows them.',
  operands: [],
  options: {
    port: { type: 'string', docs: `Port to listen on (default: ${DEFAULT_PORT}; 0 takes any free one).` },
    secret: { type: 'string', docs: 'Secret of the webhook; without it signatures are not verified.' },
    register: { type: 'string', docs: 'Registers the address with the service at this URL; needs --key.' },
    key: { type: 'string', docs: 'API key for --register.' },
  },
  async run(context, args) {
    const service = serviceOf(context, args);
    // Replaced by the secret of the registration below; the new webhook receives no event before.
    const verification = { secret: textOf(args, 'secret') };
    const { key, certificate, file } = await keptListenerCertificate(context.config.dataDir);
    const server = createServer({ key, cert: certificate }, (request, response) => {
      receive(context, verification.secret, request, response).catch(() => response.destroy());
    });
    await once(server.listen(portOf(args), '127.0.0.1'), 'listening').catch((error: unknown) => {
      throw new Error(describeSystemError(error, '--port'), { cause: error });
    });
    const { port } = server.address() as AddressInfo;
    const url = `https://localhost:${port}/`;
    context.print(`Listening at ${url}`);
    if (service.key !== null) {
      const { id, secret } = await register(url, service.url, service.key);
      verification.secret = secret;
      context.print(`Registered as ${id}; signatures are verified with its secret.`);
    } else {
      context.print(`Register it, with your key, or give --register and --key:\n${curlOf(url, service.url)}`);
      if (verification.secret === null)
        context.print('Signatures are not verified: give the secret with --secret.');
    }
    context.print(`A local service trusts it; another one needs the setting WEBHOOK_CA_FILE=${file}`);
    await once(server, 'close');
    return 0;
  },
};

/** The service to register with, and the key for it. The key is null if the user registers the webhook. */
function serviceOf({ config }: CommandContext, args: CommandArguments): { url: string; key: string | null } {
  const [url, key] = [textOf(args, 'register'), textOf(args, 'key')];
  if ((url === null) !== (key === null)) throw new UsageError('--register and --key need each other');
  if (url !== null && !URL.canParse(url))
    throw new UsageError('--register: must be a URL such as http://localhost:8010');
  return { url: (url ?? `http://localhost:${config.port}`).replace(/\/+$/, ''), key };
}

function textOf({ options }: CommandArguments, name: string): string | null {
  return options[name] === undefined ? null : String(options[name]);
}

/** The command for the shell that registers this receiver with a service. */
function curlOf(url: string, service: string): string {
  return (
    `  curl ${service}/v1/webhooks -H 'x-api-key: YOUR_KEY' -H 'content-type: application/json' ` +
    `-d '${JSON.stringify({ url })}'`
  );
}

/** Registers this receiver with a service; returns the webhook's id and secret. */
async function register(url: string, service: string, key: string): Promise<{ id: string; secret: string }> {
  const answer = await fetch(`${service}/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url, description: 'callwright webhook listen' }),
  }).catch((cause: unknown) => {
    throw new Error(`the service at ${service} does not answer`, { cause });
  });
  const body = (await answer.json()) as { id: string; secret: string; message?: string };
  if (!answer.ok) throw new Error(`the service refused the registration: ${body.message ?? answer.status}`);
  return body;
}

/** Shows one delivery, and answers 200, or 401 for a wrong signature. */
async function receive(
  context: CommandContext,
  secret: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const signature = String(request.headers['x-service-signature'] ?? '');
  const isAccepted = secret === null || verifyBody(secret, body, signature);
  const verdict = secret === null ? 'not verified' : isAccepted ? 'signature good' : 'SIGNATURE WRONG';
  const { 'x-service-event': event = 'no event', 'webhook-id': id = 'no id' } = request.headers;
  context.print(`\n${toInstant(context.clock.wallMs())}  ${String(event)}  ${String(id)}  ${verdict}`);
  context.print(readable(body));
  response.writeHead(isAccepted ? 200 : 401).end();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > MAX_BODY_BYTES) throw new Error('the body is larger than any event');
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
  const given = String(options['port'] ?? DEFAULT_PORT);
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError('--port: must be a whole number from 0 to 65535');
}
