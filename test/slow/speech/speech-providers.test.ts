import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { callOnce, transcriptOf } from '#test/support/call-story.js';
import { createAssemblyAiEmulator } from '#test/support/emulators/speech/assemblyai-emulator.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { emulatedSockets } from '#test/support/emulators/speech/emulated-sockets.js';
import { createOpenAiTranscriptionEmulator } from '#test/support/emulators/speech/openai-emulator.js';
import { createScribeEmulator } from '#test/support/emulators/speech/scribe-emulator.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { createScriptedRealtime } from '#test/support/scripted-realtime.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { loudStretches, readStereoWav } from '#test/support/wav.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';

const SAID = ['yes please', 'tuesday morning please', 'no thank you'];

const persona: Persona = {
  number: '+15550100901',
  name: 'Hums',
  description: 'Hums the words that the emulator of a recogniser hears.',
  pickup: { kind: 'answers', ringMs: 100 },
  script: {
    steps: SAID.map((text) => ({
      when: 'agent_stopped',
      afterMs: 400,
      action: { kind: 'play', sound: { kind: 'recorded', samples: soundOf(text) } },
    })),
    thereafter: null,
  },
};

const ask = (text: string, next: string) => ({
  kind: 'ask',
  text,
  expect: { kind: 'anything' },
  next,
  otherwise: 'goodbye',
});

const realtime = createScriptedRealtime(
  { heard: 'yes please', text: 'You are down for nine.' },
  {
    heard: 'goodbye',
    text: 'Goodbye.',
    tool: { name: 'end_call', arguments: '{"summary":"A visit at nine."}' },
  },
);
const duplex: ProviderDefinition = {
  name: 'duplex',
  prefix: 'DUPLEX',
  settings: {},
  configuredBy: [],
  realtime: { defaultModel: () => 'duplex-1', open: () => realtime },
};

const time = new VirtualClock();
const deepgram = createDeepgramEmulator(time);
const assemblyai = createAssemblyAiEmulator(time);
const elevenlabs = createScribeEmulator(time);
const openai = createOpenAiTranscriptionEmulator(time);
const sockets = emulatedSockets(time, {
  accept(socket) {
    const { hostname } = socket.url;
    if (hostname.includes('deepgram')) return deepgram.accept(socket);
    if (hostname.includes('openai')) return openai.accept(socket);
    return hostname.includes('assemblyai') ? assemblyai.accept(socket) : elevenlabs.accept(socket);
  },
});
let service: TestService;

beforeAll(async () => {
  for (const { vocabulary } of [deepgram, assemblyai, elevenlabs, openai]) vocabulary.push(...SAID);
  service = await buildTestService({
    time,
    environment: {
      DEEPGRAM_API_KEY: deepgram.key,
      ASSEMBLYAI_API_KEY: assemblyai.key,
      ELEVENLABS_API_KEY: elevenlabs.key,
      OPENAI_API_KEY: openai.key,
      OPENAI_STT_MODEL: 'gpt-realtime-whisper',
    },
    replace: {
      connectSocket: sockets.connect,
      providers: [duplex],
      sandbox: { personas: [persona, ...PERSONAS] },
    },
  });
});
afterAll(() => service.close());

it.each(['deepgram', 'assemblyai', 'elevenlabs', 'openai'])(
  'a call of the sandbox network is heard by %s',
  async (vendor) => {
    const connected = sockets.urls.length;
    const { request } = service;
    const agent = await request('POST', '/api/agents', {
      name: 'Reception',
      transcription_provider: vendor,
      initial_message: 'Hello, may I ask you something?',
      playbook: {
        start: 'first',
        steps: {
          first: ask('{{initial_message}}', 'second'),
          second: ask('When shall we come?', 'third'),
          third: ask('Anything else?', 'goodbye'),
          goodbye: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
        },
      },
    });
    expect(agent.status).toBe(201);
    const { id: agentId } = agent.body as { id: string };
    const placed = await request('POST', '/api/calls', { agent_id: agentId, to_phone: persona.number });
    const { id } = placed.body as { id: string };
    const call = await time.during(callOnce(request, id));

    expect(call).toMatchObject({
      status: 'completed',
      ended_reason: 'agent_hangup',
      providers: { transcription: vendor, voice: 'builtin', substituted: [] },
    });
    const entries = await transcriptOf(request, id);
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard.map(({ text }) => text)).toEqual(SAID);
    expect(sockets.urls.slice(connected)).toHaveLength(1);
    expect(sockets.openCount).toBe(0);
  },
);

it('a recogniser that dies in mid-call is replaced by the next of its list, and no word is lost', async () => {
  const { request } = service;
  const connected = sockets.urls.length;
  const agent = await request('POST', '/api/agents', {
    name: 'Reception',
    transcription_provider: 'deepgram',
    fallbacks: {
      transcription: [{ provider: 'nobody' }, { provider: 'assemblyai' }, { provider: 'elevenlabs' }],
    },
    initial_message: 'Hello, may I ask you something?',
    playbook: {
      start: 'first',
      steps: {
        first: ask('{{initial_message}}', 'second'),
        second: ask('When shall we come?', 'third'),
        third: ask('Anything else?', 'goodbye'),
        goodbye: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
      },
    },
  });
  const { id: agentId } = agent.body as { id: string };
  const placed = await request('POST', '/api/calls', { agent_id: agentId, to_phone: persona.number });
  const { id } = placed.body as { id: string };
  // After the first answer every connection of Deepgram is refused, and the open one breaks.
  await time.until(async () => expect((await transcriptOf(request, id)).length).toBeGreaterThan(2));
  deepgram.refusals.push(...Array.from({ length: 20 }, () => 503));
  sockets.breakAll();
  const leftOut = { part: 'recogniser', provider: 'deepgram', model: null };
  await time.until(async () =>
    expect((await request('GET', '/health')).body).toMatchObject({ degraded: [leftOut] }),
  );
  const call = await time.during(callOnce(request, id));
  deepgram.refusals.length = 0;

  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  const entries = await transcriptOf(request, id);
  const heard = entries.filter(({ speaker }) => speaker === 'customer');
  expect(heard.map(({ text }) => text)).toEqual(SAID);
  const events = await request('GET', `/api/calls/${id}/events`);
  const { data } = events.body as { data: { type: string; data: Record<string, unknown> }[] };
  const replaced = data.filter(({ type }) => type === 'provider_replaced').map((event) => event.data);
  expect(replaced).toMatchObject([{ leg: 'hearing', from: 'deepgram', to: 'assemblyai' }]);
  expect(sockets.urls.slice(connected).filter((url) => url.includes('assemblyai'))).toHaveLength(1);
});

it('a recogniser that cannot be used at the start of a call is replaced before the first word', async () => {
  const { request } = service;
  elevenlabs.refusals.push(401, 401, 401);
  const agent = await request('POST', '/api/agents', {
    name: 'Reception',
    transcription_provider: 'elevenlabs',
    fallbacks: { transcription: [{ provider: 'assemblyai' }] },
    initial_message: 'Hello, may I ask you something?',
    playbook: {
      start: 'first',
      steps: {
        first: ask('{{initial_message}}', 'goodbye'),
        goodbye: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
      },
    },
  });
  const { id: agentId } = agent.body as { id: string };
  const placed = await request('POST', '/api/calls', { agent_id: agentId, to_phone: persona.number });
  const { id } = placed.body as { id: string };
  await time.during(callOnce(request, id));
  elevenlabs.refusals.length = 0;
  const entries = await transcriptOf(request, id);
  expect(entries.find(({ speaker }) => speaker === 'customer')?.text).toBe(SAID[0]);
  const events = await request('GET', `/api/calls/${id}/events`);
  expect(JSON.stringify(events.body)).toContain('"from":"elevenlabs","to":"assemblyai"');
});

it('a call of the sandbox network is talked through by a speech-to-speech model', async () => {
  const { request } = service;
  const agent = await request('POST', '/api/agents', {
    name: 'Reception',
    ai_provider: 'duplex',
    initial_message: 'Hello, shall I book you in?',
    system_prompt: 'You book visits for {{agent_name}}.',
  });
  const { id: agentId } = agent.body as { id: string };
  const placed = await request('POST', '/api/calls', { agent_id: agentId, to_phone: PERSONAS[0]!.number });
  const { id } = placed.body as { id: string };
  const call = await time.during(callOnce(request, id));

  expect(call).toMatchObject({
    status: 'completed',
    ended_reason: 'agent_hangup',
    providers: { ai: 'duplex', model: 'duplex-1', voice: 'duplex', transcription: 'duplex', substituted: [] },
  });
  expect(realtime.briefs[0]!.instructions).toContain('You book visits for Reception.');
  const entries = await transcriptOf(request, id);
  expect(entries.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
    'agent: Hello, shall I book you in?',
    'customer: yes please',
    'agent: You are down for nine.',
    'customer: goodbye',
    'agent: Goodbye.',
  ]);
  const file = await fetch(call.recording_url!, { headers: { 'x-api-key': TEST_KEY } });
  const sound = readStereoWav(Buffer.from(await file.arrayBuffer()));
  const spoken = loudStretches(sound.agent, sound.sampleRateHz);
  const told = entries.filter(({ speaker }) => speaker === 'agent');
  expect(spoken.map(({ fromMs }) => Math.round(fromMs / 100))).toEqual(
    told.map(({ start_ms }) => Math.round(start_ms / 100)),
  );
});
