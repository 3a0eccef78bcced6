import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { callOnce, placeCall, transcriptOf, type ToldEntry } from '#test/support/call-story.js';
import { TESTED_VOICES, VOICE_KEY } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { ASKING_ONCE, personaNumbered } from './sandbox-calls.js';

const QUESTION = 'Do you have a minute?';
const PER_MILLION_CHARACTERS = 40;

const { Cartesia } = TESTED_VOICES;
const time = new VirtualClock();
let emulator: VoiceEmulator;
let service: TestService;
let call: CallResource;
let entries: ToldEntry[];

beforeAll(async () => {
  emulator = await VoiceEmulator.open(Cartesia!.dialect, time);
  const pricesFile = join(temporaryFolder(), 'prices.yaml');
  await writeFile(
    pricesFile,
    `speaking:\n  cartesia: { per_million_characters: ${PER_MILLION_CHARACTERS} }\n`,
  );
  const environment = { ...Cartesia!.environment(emulator.url), PRICES_FILE: pricesFile };
  service = await buildTestService({ time, environment });
  // The first sentence is whole; the socket dies in the middle of the second.
  emulator.next({}, { after: { pieces: 4, by: 'rst' } });
  const { body } = await service.request('POST', '/api/agents', {
    ...ASKING_ONCE,
    voice_provider: 'cartesia',
  });
  const agent_id = (body as { id: string }).id;
  const to_number = personaNumbered(1).number;
  const callId = await placeCall(service.request, { to_number, agent_id, record_call: false });
  call = await time.during(callOnce(service.request, callId));
  entries = await transcriptOf(service.request, callId);
});

afterAll(async () => {
  await service?.close();
  await emulator?.close();
});

it('a call through a vendor whose socket dies in mid-sentence goes on to its end, and says so', async () => {
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  const said = entries.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
  expect(said[0]).toBe(`Hello, this is the dental clinic. ${QUESTION}`);
  expect(entries.some(({ speaker }) => speaker === 'customer')).toBe(true);

  const events = await service.request('GET', `/api/calls/${call.id}/events`);
  const { data } = events.body as { data: { type: string; data: unknown }[] };
  expect(data.filter(({ type }) => type === 'provider_replaced').map((event) => event.data)).toEqual([
    { leg: 'speaking', from: 'cartesia', to: 'builtin', failure: 'cut', in_sentence: true },
  ]);
  expect(JSON.stringify([events.body, service.logLines])).not.toContain(VOICE_KEY);
});

it('its usage names what was sent to each voice, and its cost what is known of that', () => {
  const asked = emulator.received.flatMap(({ body }) => body['transcript'] ?? []) as string[];
  const characters = asked.join('').length;
  const used = call.usage?.speaking.find(({ provider }) => provider === 'cartesia');
  expect(used).toMatchObject({ model: 'sonic-3.5', sentences: asked.length, characters });
  const speaking_usd = Number(((characters * PER_MILLION_CHARACTERS) / 1_000_000).toFixed(6));
  expect(call.cost).toEqual({
    total_usd: speaking_usd,
    carrier_usd: 0,
    hearing_usd: 0,
    thinking_usd: 0,
    speaking_usd,
    is_complete: true,
  });
  expect(call.cost_usd).toBe(speaking_usd);
});

it('hears a sentence, and names what is missing where it cannot', async () => {
  const preview = (body: object) =>
    service.app.server.inject({
      method: 'POST',
      url: '/api/voices/preview',
      headers: { 'x-api-key': 'test-key-0123456789abcdef' },
      payload: body,
    });
  const heard = await time.during(preview({ text: 'Good morning.', voice_provider: 'cartesia' }));
  expect(heard.headers['content-type']).toBe('audio/wav');
  expect(heard.rawPayload.toString('latin1', 0, 4)).toBe('RIFF');
  expect(heard.rawPayload.length).toBe(44 + 2 * 8 * 60 * 'Good morning.'.length);

  const away = await preview({ text: 'Good morning.', voice_provider: 'elevenlabs', voice: 'v1' });
  expect(away.statusCode).toBe(409);
  expect(away.body).toContain('ELEVENLABS_API_KEY is missing');
  expect((await preview({ text: 'Hm.', voice_provider: 'nobody' })).statusCode).toBe(400);

  emulator.next({ error: true }, { error: true });
  const failed = await time.during(preview({ text: 'Good evening.', voice_provider: 'cartesia' }));
  expect(failed.statusCode).toBe(503);
  expect(failed.body).toContain('cartesia');
});

it('lists voices of a vendor, and the built-in ones', async () => {
  const listed = await time.during(service.request('GET', '/api/providers/cartesia/voices'));
  expect(listed).toMatchObject({ status: 200, body: { data: [{ id: 'c1', name: 'Cay', language: 'en' }] } });
  const own = await service.request('GET', '/api/providers/builtin/voices');
  expect(own).toMatchObject({ status: 200, body: { provider: 'builtin' } });
  expect((await service.request('GET', '/api/providers/nobody/voices')).status).toBe(404);
  expect((await service.request('GET', '/api/providers/elevenlabs/voices')).status).toBe(409);
});

it('a voice that is left out is told of in the health, and no longer when it is tried again', async () => {
  const degraded = async () =>
    ((await service.request('GET', '/health')).body as { degraded: unknown[] }).degraded;
  emulator.usual = { error: true };
  const { body } = await service.request('POST', '/api/agents', {
    ...ASKING_ONCE,
    voice_provider: 'cartesia',
  });
  const agent_id = (body as { id: string }).id;
  const to_number = personaNumbered(1).number;
  const callId = await placeCall(service.request, { to_number, agent_id, record_call: false });
  const leftOut = { part: 'voice', provider: 'cartesia', model: null };
  await time.until(async () => expect(await degraded()).toMatchObject([leftOut]));
  const ended = await time.during(callOnce(service.request, callId));
  expect(ended).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  emulator.usual = {};
  await time.until(async () => expect(await degraded()).toEqual([]));
});
