import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createStreamService } from '#test/support/carrier-host.js';
import { TwilioEmulator, type TwilioEmulatorOptions } from '#test/support/emulators/twilio-emulator.js';
import { signatureOf } from '#test/support/emulators/twilio/signature.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';

export const PUBLIC = 'https://voice.example.com';
const KEY = 'a-token-for-tests';
export const ANSWERS = '+15550100003';
const PHONES = {
  '+15550100005': { kind: 'busy' },
  '+15550100006': { kind: 'no_answer' },
  '+15550100007': { kind: 'rejects' },
  '+15550100008': { kind: 'invalid' },
  '+15550100009': { kind: 'unassigned' },
} as const;
const STREAM =
  `<Response><Connect action="${PUBLIC}/ended"><Stream url="wss://voice.example.com/ws">` +
  '<Parameter name="token" value="a&amp;b"/></Stream></Connect></Response>';

/** The other side: documents by path, and all that it was told; what is not signed well is refused. */
class TinyService {
  readonly told: { path: string; form: Record<string, string> }[] = [];
  readonly documents: Record<string, string> = {
    '/answer': STREAM,
    '/ended': '<Response><Hangup/></Response>',
  };
  readonly server = createServer((request, response) => void this.#take(request, response));

  statuses(): string[] {
    return this.told.filter(({ path }) => path === '/status').map(({ form }) => form['CallStatus']!);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const [path = '', query] = request.url!.split('?');
    const signature = request.headers['x-twilio-signature'] ?? request.headers['x-signalwire-signature'];
    const url = `${PUBLIC}${path}${query === undefined ? '' : `?${query}`}`;
    if (signature !== signatureOf(KEY, url, form)) return void response.writeHead(403).end();
    this.told.push({ path, form: Object.fromEntries(form) });
    const document = this.documents[path];
    return void response.writeHead(document ? 200 : 204, { 'content-type': 'text/xml' }).end(document);
  }
}

/** An emulator on a clock that only the test moves, with a service that the test tells what to say. */
export async function openRig(options: TwilioEmulatorOptions = {}) {
  const clock = new FakeClock();
  const service = new TinyService();
  const stream = await createStreamService();
  await once(service.server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  const reach = (url: string) => (url.startsWith('wss:') ? stream.url : url.replace(PUBLIC, address));
  const emulator = await TwilioEmulator.open({ clock, phones: PHONES, authToken: KEY, reach, ...options });
  onTestFinished(async () => {
    await emulator.close();
    await stream.close();
    service.server.close();
    expect(clock.armed).toBe(0);
  });
  const prefix = options.dialect === 'signalwire' ? '/api/laml/2010-04-01' : '/2010-04-01';
  const credentials = Buffer.from(`${emulator.accountSid}:${KEY}`).toString('base64');

  async function ask(path: string, form?: Record<string, string> | [string, string][], as = credentials) {
    const response = await fetch(`${emulator.url}${prefix}/Accounts/${emulator.accountSid}${path}`, {
      headers: { authorization: `Basic ${as}` },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  }
  const order = (to: string, further: [string, string][] = []): [string, string][] => [
    ['To', to],
    ['From', '+15550000000'],
    ['Url', `${PUBLIC}/answer`],
    ['StatusCallback', `${PUBLIC}/status`],
    ...['initiated', 'ringing', 'answered', 'completed'].map((event): [string, string] => [
      'StatusCallbackEvent',
      event,
    ]),
    ...further,
  ];
  return {
    emulator,
    service,
    stream,
    clock,
    ask,
    order,
    async place(to: string, further: [string, string][] = []) {
      return (await ask('/Calls.json', order(to, further))).body.sid;
    },
    /** Lets time go on until it holds. */
    async until(isTrue: () => boolean): Promise<void> {
      for (let step = 0; !isTrue(); step++) {
        if (step > 5_000) throw new Error('it never came to that');
        await emulator.idle();
        await clock.advance(20);
        await settle();
      }
      await emulator.idle();
    },
  };
}

interface Answer {
  sid: string;
  status: string | number;
  code: number;
  calls: { sid: string }[];
  next_page_uri: string | null;
}
