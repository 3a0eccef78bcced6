import { afterAll, beforeAll, expect, it } from 'vitest';
import { callEventResource } from '#calls/resources/talk-resource.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { createScriptedModel } from '#test/support/answering-model.js';
import { callOnce, transcriptOf, type ToldEntry } from '#test/support/call-story.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { emulatedSockets } from '#test/support/emulators/speech/emulated-sockets.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { TESTED_VOICES } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Somebody who hums words that the emulator of a recogniser hears, each time the agent has stopped. */
function humming(number: string, said: readonly string[]): Persona {
  return {
    number,
    name: 'Hums',
    description: 'Hums the words that the emulator of a recogniser hears.',
    pickup: { kind: 'answers', ringMs: 100 },
    script: {
      steps: said.map((text) => ({
        when: 'agent_stopped' as const,
        afterMs: 400,
        action: { kind: 'play' as const, sound: { kind: 'recorded' as const, samples: soundOf(text) } },
      })),
      thereafter: null,
    },
  };
}

const GERMAN = ['ja gerne', 'am dienstag', 'einen moment bitte', 'um 14 uhr', 'ja genau'];
const NO_MORE = ['bitte rufen sie mich nie wieder an'];
const CHANGING = ['good morning i need a visit', 'perdone prefiero hablar en español', 'gracias hasta luego'];
const germanCaller = humming('+15550100911', GERMAN);
const annoyedCaller = humming('+15550100912', NO_MORE);
const changingCaller = humming('+15550100913', CHANGING);

const { Cartesia } = TESTED_VOICES;
const time = new VirtualClock();
const deepgram = createDeepgramEmulator(time);
const sockets = emulatedSockets(time, { accept: (socket) => deepgram.accept(socket) });
const model = createScriptedModel((request) =>
  request.system.includes('Speak Spanish (es)') ? 'Claro. ¿Qué día prefiere?' : 'Which day do you prefer?',
);
let voice: VoiceEmulator;
let service: TestService;

beforeAll(async () => {
  deepgram.vocabulary.push(...GERMAN, ...NO_MORE, ...CHANGING);
  deepgram.languageOf = (text) => (/perdone|español|gracias|hasta/.test(text) ? 'es' : 'en');
  voice = await VoiceEmulator.open(Cartesia!.dialect, time);
  service = await buildTestService({
    time,
    environment: { DEEPGRAM_API_KEY: deepgram.key, ...Cartesia!.environment(voice.url) },
    replace: {
      connectSocket: sockets.connect,
      resolveModel: () => model,
      sandbox: { personas: [germanCaller, annoyedCaller, changingCaller, ...PERSONAS] },
    },
  });
});
afterAll(async () => {
  await service.close();
  await voice.close();
});

const VENDORS = { voice_provider: 'cartesia', transcription_provider: 'deepgram' };

async function callBy(agent: Record<string, unknown>, { number }: Persona) {
  voice.received.length = 0;
  const { body } = await service.request('POST', '/api/agents', { name: 'Praxis', ...VENDORS, ...agent });
  const { id: agent_id, warnings } = body as { id: string; warnings: { code: string }[] };
  const placed = await service.request('POST', '/api/calls', { agent_id, to_phone: number });
  const { id } = placed.body as { id: string };
  const call = await time.during(callOnce(service.request, id));
  const entries = await transcriptOf(service.request, id);
  const told = await service.request('GET', `/api/calls/${id}/events`);
  const events = (told.body as { data: unknown[] }).data.map((event) => callEventResource.parse(event));
  return { call, entries, events, warnings };
}

const linesOf = (entries: readonly ToldEntry[]) => entries.map(({ speaker, text }) => `${speaker}: ${text}`);
/** The languages that the voice was asked for, with how they changed. */
const spokenTo = () => {
  const asked = voice.received.flatMap(({ body }) => (body['transcript'] ? [String(body['language'])] : []));
  return asked.filter((language, at) => language !== asked[at - 1]);
};

const GERMAN_BOOKING = {
  language: 'de-DE',
  initial_message: 'Guten Tag, hier ist die Praxis Berg. Möchten Sie einen Termin?',
  playbook: {
    start: 'wanted',
    steps: {
      wanted: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'day', no: 'bye' },
        otherwise: 'bye',
      },
      day: {
        kind: 'ask',
        text: 'An welchem Tag?',
        expect: { kind: 'date' },
        next: 'time',
        otherwise: 'bye',
      },
      time: {
        kind: 'ask',
        text: 'Um wie viel Uhr?',
        expect: { kind: 'time' },
        confirm: 'Also {{day}} um {{time}}, richtig?',
        next: 'booked',
        otherwise: 'bye',
      },
      booked: { kind: 'end', text: 'Dann bis {{day}}. Auf Wiederhören.', resolution_achieved: true },
      bye: { kind: 'end', text: 'Auf Wiederhören.', resolution_achieved: false },
    },
  },
};

it('a call in German is heard, understood and spoken in German', async () => {
  const { call, entries, warnings } = await callBy(GERMAN_BOOKING, germanCaller);
  expect(warnings).toEqual([]);
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect(call.answers).toMatchObject({ wanted: 'yes', time: '14:00' });
  const day = call.answers['day']!;
  expect(new Date(`${day}T00:00Z`).getUTCDay()).toBe(2);
  expect(linesOf(entries)).toEqual([
    'agent: Guten Tag, hier ist die Praxis Berg. Möchten Sie einen Termin?',
    'customer: ja gerne',
    'agent: An welchem Tag?',
    'customer: am dienstag',
    'agent: Um wie viel Uhr?',
    'customer: einen moment bitte',
    'agent: Natürlich, lassen Sie sich Zeit.',
    'customer: um 14 uhr',
    expect.stringMatching(/^agent: Also Dienstag, \d+\. \p{Lu}\p{L}+ um 14:00, richtig\?$/u),
    'customer: ja genau',
    expect.stringMatching(/^agent: Dann bis Dienstag, .+ Auf Wiederhören\.$/u),
  ]);
  expect(new URL(sockets.urls.at(-1)!).searchParams.get('language')).toBe('de');
  expect(spokenTo()).toEqual(['de']);
});

it('who wants no more calls, in German, is called no more', async () => {
  const { call, entries } = await callBy(GERMAN_BOOKING, annoyedCaller);
  expect(linesOf(entries).at(-1)).toBe(
    'agent: Ich verstehe. Bitte entschuldigen Sie die Störung. Auf Wiederhören.',
  );
  expect(call).toMatchObject({ ended_reason: 'agent_hangup' });
  const listed = await service.request('GET', '/api/suppressions');
  expect(JSON.stringify(listed.body)).toContain(annoyedCaller.number);
});

it('a call goes on in Spanish when its caller changes to it', async () => {
  const { call, entries, events, warnings } = await callBy(
    {
      languages: ['en', 'es'],
      ai_provider: 'custom',
      model_settings: { url: 'https://dialogue.example/v1' },
      system_prompt: 'You book visits.',
      initial_message: 'Hello, this is the clinic. How may I help?',
    },
    changingCaller,
  );
  expect(warnings).toEqual([]);
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect(linesOf(entries)).toEqual([
    'agent: Hello, this is the clinic. How may I help?',
    `customer: ${CHANGING[0]}`,
    'agent: Which day do you prefer?',
    `customer: ${CHANGING[1]}`,
    'agent: Claro. ¿Qué día prefiere?',
    `customer: ${CHANGING[2]}`,
    // What no model decides is said in the language of the call, too.
    'agent: Gracias por su tiempo. Adiós.',
  ]);
  expect(entries.map(({ language }) => language)).toEqual(['en', 'en', 'en', 'es', 'es', 'es', 'es']);
  const changes = events.filter(({ type }) => type === 'language_changed');
  expect(changes.map(({ data }) => data)).toEqual([{ language: 'es' }]);
  expect(new URL(sockets.urls.at(-1)!).searchParams.get('language')).toBe('multi');
  expect(spokenTo()).toEqual(['en', 'es']);
  expect(model.requests[0]!.system).toContain('Speak English (en)');
});
