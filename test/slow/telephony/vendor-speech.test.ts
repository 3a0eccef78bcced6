import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce, transcriptOf } from '#test/support/call-story.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { emulatedSockets } from '#test/support/emulators/speech/emulated-sockets.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { TESTED_VOICES } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { CarrierRig } from '#test/e2e/carrier-rig.js';
import { callsInTwilioWords } from '#test/e2e/twilio-words.js';

const CALLED = '+4930123456';
const SAID = ['ja gerne', 'am dienstag', 'nein danke'];
const { Cartesia } = TESTED_VOICES;

const time = new VirtualClock();
const deepgram = createDeepgramEmulator(time);
const sockets = emulatedSockets(time, { accept: (socket) => deepgram.accept(socket) });
let voice: VoiceEmulator;

const rig = new CarrierRig({
  ...callsInTwilioWords,
  provider: 'twilio',
  domain: 'voice.example.com',
  open: (around) => TwilioEmulator.open(around),
  environmentOf: (emulator: TwilioEmulator) => ({
    TWILIO_ACCOUNT_SID: emulator.accountSid,
    TWILIO_AUTH_TOKEN: emulator.authToken,
    TWILIO_API_URL: emulator.url,
    DEEPGRAM_API_KEY: deepgram.key,
    ...(Cartesia!.environment(voice.url) as Record<string, string>),
  }),
  time,
  replace: { connectSocket: sockets.connect },
  phones: () => ({
    [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: SAID.map((text) => soundOf(text)) } },
  }),
});

beforeAll(async () => {
  deepgram.vocabulary.push(...SAID);
  voice = await VoiceEmulator.open(Cartesia!.dialect, time);
  await rig.open();
});
afterAll(async () => {
  await rig.close();
  await voice.close();
});

it('a call through Twilio is spoken and heard by vendors, in German', async () => {
  const id = await rig.call(CALLED, {
    name: 'Praxis',
    language: 'de-DE',
    voice_provider: 'cartesia',
    transcription_provider: 'deepgram',
    initial_message: 'Guten Tag, möchten Sie einen Termin?',
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
          next: 'more',
          otherwise: 'bye',
        },
        more: {
          kind: 'ask',
          text: 'Noch etwas?',
          expect: { kind: 'yes_no' },
          answers: { yes: 'bye', no: 'bye' },
          otherwise: 'bye',
        },
        bye: { kind: 'end', text: 'Auf Wiederhören.', resolution_achieved: true },
      },
    },
  });
  const call = await rig.time.during(callOnce(rig.service.request, id));
  expect(call).toMatchObject({
    status: 'completed',
    ended_reason: 'agent_hangup',
    provider: 'twilio',
    answers: { wanted: 'yes', more: 'no' },
    providers: { voice: 'cartesia', transcription: 'deepgram' },
  });
  const entries = await transcriptOf(rig.service.request, id);
  expect(entries.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text)).toEqual(SAID);
  expect(call.usage?.speaking.map(({ provider }) => provider)).toEqual(['cartesia']);
  // What the line itself costs is not known.
  expect(call.cost).toMatchObject({ carrier_usd: null, is_complete: false });
});
