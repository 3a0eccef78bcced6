import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '#config/setting.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { callOnce, transcriptOf } from '#test/support/call-story.js';
import { createAssemblyAiEmulator } from '#test/support/emulators/speech/assemblyai-emulator.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { emulatedSockets } from '#test/support/emulators/speech/emulated-sockets.js';
import { createScribeEmulator } from '#test/support/emulators/speech/scribe-emulator.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { TESTED_VOICES } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const SAID = ['yes please', 'tuesday morning please', 'no thank you'];
const ASKED = ['May I ask you something?', 'When shall we come?', 'Anything else?'];
/** Beyond the idle limit of every vendor's socket but that of Cartesia. */
const LONG_PAUSE_MS = 25_000;

/** Somebody who hums what the emulators of recognisers hear; before the last words there is a long silence. */
const persona: Persona = {
  number: '+15550100921',
  name: 'Hums',
  description: 'Hums the words that the emulator of a recogniser hears.',
  pickup: { kind: 'answers', ringMs: 100 },
  script: {
    steps: SAID.map((text, at) => ({
      when: 'agent_stopped' as const,
      afterMs: at === SAID.length - 1 ? LONG_PAUSE_MS : 400,
      action: { kind: 'play' as const, sound: { kind: 'recorded' as const, samples: soundOf(text) } },
    })),
    thereafter: null,
  },
};

/** Every way to a voice with a recogniser of another vendor, so that each vendor of either is met. */
const PAIRS: readonly [voice: string, recogniser: string, model: string | null][] = [
  ['ElevenLabs over sockets', 'deepgram', null],
  ['ElevenLabs over HTTP', 'assemblyai', null],
  ['Cartesia', 'deepgram', 'flux-general-en'],
  ['Deepgram Aura', 'elevenlabs', null],
  ['Deepgram Flux', 'assemblyai', null],
  ['OpenAI', 'elevenlabs', null],
  ['Kokoro-FastAPI', 'deepgram', null],
  ['speaches', 'assemblyai', null],
];

describe.each(PAIRS)('a call spoken by %s and heard by %s (%s)', (voiceName, recogniser, model) => {
  const tested = TESTED_VOICES[voiceName]!;
  const time = new VirtualClock();
  const deepgram = createDeepgramEmulator(time);
  const assemblyai = createAssemblyAiEmulator(time);
  const elevenlabs = createScribeEmulator(time);
  const recognisers = { deepgram, assemblyai, elevenlabs };
  const sockets = emulatedSockets(time, {
    accept: (socket) => recognisers[recogniser as keyof typeof recognisers].accept(socket),
  });
  let voice: VoiceEmulator;
  let service: TestService;

  beforeAll(async () => {
    for (const { vocabulary } of Object.values(recognisers)) vocabulary.push(...SAID);
    voice = await VoiceEmulator.open(tested.dialect, time);
    const keys: Environment = {
      ...(recogniser === 'deepgram' && { DEEPGRAM_API_KEY: deepgram.key }),
      ...(recogniser === 'assemblyai' && { ASSEMBLYAI_API_KEY: assemblyai.key }),
      ...(recogniser === 'elevenlabs' && { ELEVENLABS_API_KEY: elevenlabs.key }),
      ...(model !== null && { DEEPGRAM_STT_MODEL: model }),
    };
    service = await buildTestService({
      time,
      environment: { ...keys, ...tested.environment(voice.url) },
      replace: { connectSocket: sockets.connect, sandbox: { personas: [persona, ...PERSONAS] } },
    });
  });
  afterAll(async () => {
    await service.close();
    await voice.close();
  });

  it('goes to its end by both of them, across a pause longer than sockets are kept open', async () => {
    const step = (text: string, next: string) => {
      return { kind: 'ask', text, expect: { kind: 'anything' }, next, otherwise: 'bye' };
    };
    const { body } = await service.request('POST', '/api/agents', {
      name: 'Reception',
      voice_provider: tested.choice.provider,
      voice: tested.choice.voice,
      transcription_provider: recogniser,
      initial_message: ASKED[0],
      playbook: {
        start: 'first',
        steps: {
          first: step('{{initial_message}}', 'second'),
          second: step(ASKED[1]!, 'third'),
          third: step(ASKED[2]!, 'bye'),
          bye: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
        },
      },
    });
    const placed = await service.request('POST', '/api/calls', {
      agent_id: (body as { id: string }).id,
      to_phone: persona.number,
      silence_timeout_seconds: 60,
    });
    const { id } = placed.body as { id: string };
    const call = await time.during(callOnce(service.request, id));
    expect(call).toMatchObject({
      status: 'completed',
      ended_reason: 'agent_hangup',
      providers: { voice: tested.choice.provider, transcription: recogniser, substituted: [] },
    });
    const entries = await transcriptOf(service.request, id);
    const heard = entries.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text);
    expect(heard).toEqual(SAID);
    const told = await service.request('GET', `/api/calls/${id}/events`);
    expect(JSON.stringify(told.body)).not.toContain('provider_replaced');
    // Nothing was spoken by the voice behind all others.
    expect(call.usage?.speaking.map(({ provider }) => provider)).toEqual([tested.choice.provider]);
  });
});
