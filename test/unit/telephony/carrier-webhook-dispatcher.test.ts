import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { expect, it } from 'vitest';
import { CarrierPool } from '#telephony/carrier-pool.js';
import type { CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { codecOf } from '#telephony/remote-carriers.js';
import type { Reception } from '#telephony/port/remote-host.js';
import { CarrierWebhookDispatcher } from '#telephony/carrier-webhook-dispatcher.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { createRecordingHost } from '#test/support/carrier-host.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { ScriptedCarrier } from '#test/support/scripted-carrier.js';

const TALK: Reception = {
  kind: 'talk',
  language: 'de-DE',
  stream: { url: 'wss://voice.example.com/ws/stream/agent_1', parameters: { token: 'st_1' } },
};

/** A dispatcher whose calls are received as the test says, one after the other. */
function openDispatcher(receptions: (Reception | Error)[], greets = true) {
  const received: unknown[] = [];
  const { log, lines } = createMemoryLog();
  const dispatcher = new CarrierWebhookDispatcher({
    carriers: new CarrierPool([new ScriptedCarrier()], { outbound: 'scripted' }),
    host: {
      ...createRecordingHost(),
      receive: async (call) => {
        received.push(call);
        const reception = receptions.shift()!;
        if (reception instanceof Error) throw reception;
        return reception;
      },
      acceptDetection: async () => {},
      acceptPrice: async (price) => void received.push(price),
      streamFailed: async (line) => void received.push(line),
      streamEnded: async ({ providerCallId }) =>
        providerCallId === 'CA_unheard' ? { language: 'fr' } : null,
    },
    clock: new FakeClock(),
    languages: DEFAULT_LANGUAGES,
    log,
    codecOf,
    publicUrl: () => 'https://voice.example.com',
    greets,
  });
  const take = (replayKey: string | null = null, carrier = 'elsewhere') =>
    dispatcher.handle({
      carrier,
      kind: 'incoming',
      dialRef: null,
      replayKey,
      request: carrierRequest({ body: 'CallSid=CA1&From=%2B14155550100&To=%2B14155550177' }),
    });
  const told = (carrier: string, kind: CarrierRequestKind, body: string) =>
    dispatcher.handle({
      carrier,
      kind,
      dialRef: null,
      replayKey: null,
      request: carrierRequest({ body }),
    });
  return { take, told, received, lines };
}

it('greets in the language of the agent, unless the agent shall', async () => {
  expect((await openDispatcher([TALK]).take()).body).toContain('Guten Tag');
  expect((await openDispatcher([TALK], false).take()).body).not.toContain('<Say');
});

it('turns callers away without answering when there is no room', async () => {
  expect((await openDispatcher([{ kind: 'no_room' }]).take()).body).toContain('<Reject reason="busy"');
});

it('apologises in the language of the agent who does not answer', async () => {
  const { body } = await openDispatcher([{ kind: 'nobody', language: 'fr-FR' }]).take();
  expect(body).toMatch(/<Say language="fr-FR">Nous sommes désolés[^<]*<\/Say><Hangup\/>/);
});

it('apologises and hangs up when something is broken, and does so without remembering it', async () => {
  const { take, received, lines } = openDispatcher([new Error('the database is away'), TALK]);

  const broken = await take('copy_1');
  expect(broken).toMatchObject({ status: 200 });
  expect(broken.body).toMatch(/<Say[^>]*>.*sorry.*<\/Say><Hangup/);
  expect(JSON.stringify(lines)).not.toContain('+1415');

  const again = await take('copy_1');
  expect(again.body).toContain('<Connect');
  expect(await take('copy_1')).toEqual(again);
  expect(received).toHaveLength(2);
});

it('knows a copy from a message of another carrier that is marked the same', async () => {
  const { take, received } = openDispatcher([TALK, { kind: 'no_room' }]);
  expect((await take('same', 'twilio')).body).toContain('<Connect');
  expect((await take('same', 'signalwire')).body).toContain('<Reject');
  expect((await take('same', 'twilio')).body).toContain('<Connect');
  expect(received).toHaveLength(2);
});

it('apologises to callers whose stream never came; a talk that is over just ends', async () => {
  const { told } = openDispatcher([]);
  const unheard = await told('twilio', 'stream-ended', 'CallSid=CA_unheard');
  expect(unheard.body).toMatch(/<Say[^>]*>Nous sommes désolés[^<]*<\/Say><Hangup\/>/);
  expect((await told('twilio', 'stream-ended', 'CallSid=CA1')).body).toContain(
    '<Response><Hangup/></Response>',
  );
});

it('tells that a stream was not opened, and only takes note of that', async () => {
  const { told, received } = openDispatcher([]);
  const body = 'CallUUID=call-1&Event=DroppedStream';
  expect(await told('plivo', 'stream-status', body)).toMatchObject({ status: 200, body: '{"success":true}' });
  expect(received).toEqual([{ carrier: 'plivo', providerCallId: 'call-1' }]);
});
