import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { callOnce, transcriptOf } from '#test/support/call-story.js';
import { createScriptedRealtime } from '#test/support/scripted-realtime.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { loudStretches, readStereoWav } from '#test/support/wav.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';

const realtime = createScriptedRealtime(
  { heard: 'yes please', text: 'You are down for nine.' },
  {
    heard: 'goodbye',
    text: 'Goodbye.',
    tool: { name: 'end_call', arguments: '{"summary":"A visit at nine."}' },
  },
);
const definition: ProviderDefinition = {
  name: 'duplex',
  prefix: 'DUPLEX',
  settings: {},
  configuredBy: [],
  realtime: { defaultModel: () => 'duplex-1', open: () => realtime },
};

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock(), replace: { providers: [definition] } });
});
afterAll(() => service.close());

it('a call of the sandbox network is talked through by a speech-to-speech model', async () => {
  const { request, time } = service;
  const agent = await request('POST', '/api/agents', {
    name: 'Reception',
    ai_provider: 'duplex',
    initial_message: 'Hello, shall I book you in?',
    system_prompt: 'You book visits for {{agent_name}}.',
  });
  const { id: agentId } = agent.body as { id: string };
  const placed = await request('POST', '/api/calls', { agent_id: agentId, to_phone: PERSONAS[0]!.number });
  const { id } = placed.body as { id: string };
  const call = await time!.during(callOnce(request, id));

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
