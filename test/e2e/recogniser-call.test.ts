import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce, transcriptOf } from '#test/support/call-story.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { emulatedSockets } from '#test/support/emulators/speech/emulated-sockets.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
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

const time = new VirtualClock();
const deepgram = createDeepgramEmulator(time);
const sockets = emulatedSockets(time, deepgram);
let service: TestService;

beforeAll(async () => {
  deepgram.vocabulary.push(...SAID);
  service = await buildTestService({
    time,
    environment: { DEEPGRAM_API_KEY: deepgram.key },
    replace: { connectSocket: sockets.connect, sandbox: { personas: [persona] } as never },
  });
});
afterAll(() => service.close());

it('a call of the sandbox network is heard by the recogniser that its agent names', async () => {
  const { request } = service;
  const agent = await request('POST', '/api/agents', {
    name: 'Reception',
    transcription_provider: 'deepgram',
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
    providers: { transcription: 'deepgram', voice: 'builtin', substituted: [] },
  });
  const entries = await transcriptOf(request, id);
  const heard = entries.filter(({ speaker }) => speaker === 'customer');
  expect(heard.map(({ text }) => text)).toEqual(SAID);
  expect(sockets.urls).toHaveLength(1);
  expect(sockets.openCount).toBe(0);
});
