import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#kernel/time/clock.js';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import type {
  CarrierHttpAnswer,
  CarrierEvent,
  CarrierRequestKind,
  RemoteCarrier,
} from '#telephony/port/carrier-webhooks.js';
import type { CarrierRig } from '#test/contracts/carrier.js';
import { createRecordingHost, createStreamService, type RecordingHost } from '#test/support/carrier-host.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import type { CarrierOptions, EmulatedCarrier } from './emulated-carrier.js';
import { TwilioEmulator, type TwilioEmulatorOptions } from './twilio-emulator.js';

const PUBLIC_URL = 'https://voice.example.com';
const STEP_MS = 100;
/** Steps of network time after which a test gives up: about ten minutes. */
const MOST_STEPS = 6_000;
const HANG_UP: CallMarkup = [{ kind: 'hang_up' }];

/** What a carrier under test is opened with. */
export interface CarrierUnderTest<Emulator = TwilioEmulator> {
  emulator: Emulator;
  /** The carrier's own clock, separate from the network's: its timers belong to the carrier. */
  clock: Clock;
  publicUrl: string;
}

export interface RemoteCarrierRig<Emulator = TwilioEmulator> extends CarrierRig {
  emulator: Emulator;
}

/** The rig of a Twilio-compatible carrier. */
export function createRemoteCarrierRig(
  open: (under: CarrierUnderTest) => RemoteCarrier,
  options: TwilioEmulatorOptions = {},
): Promise<RemoteCarrierRig> {
  return createEmulatorRig((around) => TwilioEmulator.open({ ...around, ...options }), open);
}

/**
 * A remote carrier against its emulator over real sockets, for the carrier contract. The emulator's requests to
 * `/webhook/<carrier>/<kind>/<reference>` are verified, decoded, passed to the host, and answered.
 */
export async function createEmulatorRig<Emulator extends EmulatedCarrier>(
  openEmulator: (around: Required<CarrierOptions>) => Promise<Emulator>,
  open: (under: CarrierUnderTest<Emulator>) => RemoteCarrier,
): Promise<RemoteCarrierRig<Emulator>> {
  const clock = new FakeClock();
  const networkClock = new FakeClock();
  const host = createRecordingHost();
  const stream = await createStreamService();
  host.instruct(async () => ({
    url: 'wss://voice.example.com/ws/stream/agent_1',
    parameters: { token: 'st_1' },
  }));
  const server = createServer((request, response) => {
    // A failed request may be repeated.
    take(request, response, carrier, host, clock).catch(() => response.writeHead(500).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const numbers = {
    answers: '+15550100003',
    busy: '+15550100005',
    noAnswer: '+15550100006',
    rejects: '+15550100007',
    invalid: '+15550',
  };
  const emulator = await openEmulator({
    clock: networkClock,
    phones: {
      [numbers.busy]: { kind: 'busy' },
      [numbers.noAnswer]: { kind: 'no_answer' },
      [numbers.rejects]: { kind: 'rejects' },
    },
    reach: (url) => (url.startsWith('wss:') ? stream.url : url.replace(PUBLIC_URL, address)),
  });
  const carrier = open({ emulator, clock, publicUrl: PUBLIC_URL });

  async function step(): Promise<void> {
    await emulator.idle();
    await Promise.all([networkClock.advance(STEP_MS), clock.advance(STEP_MS)]);
    await settle();
    await emulator.idle();
  }
  return {
    carrier,
    host,
    emulator,
    numbers,
    answer: (awaited) => awaited,
    async until(awaited) {
      let isThere = false;
      const watched = awaited.finally(() => (isThere = true));
      watched.catch(() => {});
      for (let steps = 0; !isThere; steps++) {
        if (steps > MOST_STEPS) throw new Error('the network never got there');
        await step();
      }
      return watched;
    },
    async pass(durationMs) {
      for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) await step();
    },
    async phonesReached() {
      // A phone is reached slightly after the request was accepted.
      for (let steps = 0; steps < 3; steps++) await step();
      return emulator.network.reached.length;
    },
    heldOpen: () => clock.armed,
    async dispose() {
      await carrier.close();
      await emulator.close();
      await stream.close();
      server.close();
    },
  };
}

/** Handles a request of the carrier, from its signature to the answer. */
async function take(
  request: IncomingMessage,
  response: ServerResponse,
  carrier: RemoteCarrier,
  host: RecordingHost,
  clock: Clock,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname } = new URL(request.url ?? '/', PUBLIC_URL);
  const [, , , kind, dialRef = null] = pathname.split('/');
  const asked = {
    method: request.method === 'GET' ? ('GET' as const) : ('POST' as const),
    url: PUBLIC_URL + request.url,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    rawBody: Buffer.concat(chunks),
    receivedAt: clock.wallMs(),
  };
  const { genuine } = await carrier.webhooks.verify(asked);
  if (!genuine) return void response.writeHead(403).end();
  const events = carrier.webhooks.read(kind as CarrierRequestKind, asked, dialRef);
  const listens = carrier.webhooks.followsAnswer?.(asked) ?? true;
  const answer = await answerTo(events, { carrier, host, listens });
  response.writeHead(answer?.status ?? 204, answer ? { 'content-type': answer.contentType } : {});
  response.end(answer?.body);
}

/** Passes the events to the host, and returns the markup, or performs it over the API if the carrier requires that. */
async function answerTo(
  events: readonly CarrierEvent[],
  { carrier, host, listens }: { carrier: RemoteCarrier; host: RecordingHost; listens: boolean },
): Promise<CarrierHttpAnswer | null> {
  const { webhooks } = carrier;
  let answer: CarrierHttpAnswer | null = null;
  for (const event of events) {
    if (event.kind === 'report') await host.report(event.report);
    const document = await documentFor(event, carrier, host);
    if (document === null) continue;
    if (listens) answer = webhooks.write(document);
    else if ('providerCallId' in event && event.providerCallId !== null) {
      const call = { providerCallId: event.providerCallId, isAnswered: event.kind !== 'incoming' };
      await webhooks.perform?.(call, document, new AbortController().signal);
    }
  }
  return answer;
}

async function documentFor(
  event: CarrierEvent,
  { name }: RemoteCarrier,
  host: RecordingHost,
): Promise<CallMarkup | null> {
  if (event.kind === 'stream_ended' || event.kind === 'incoming') return HANG_UP;
  if (event.kind === 'transfer') return [{ kind: 'dial', to: event.to, from: event.from }, ...HANG_UP];
  if (event.kind !== 'answered') return null;
  const { providerCallId, dialRef } = event;
  const stream = await host.answer({ carrier: name, dialRef: dialRef ?? '', providerCallId });
  const streamEndedUrl = `${PUBLIC_URL}/webhook/${name}/stream-ended`;
  return stream ? [{ kind: 'stream', stream, streamEndedUrl }, ...HANG_UP] : HANG_UP;
}
