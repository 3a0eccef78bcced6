import { expect } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import type { Environment } from '#config/setting.js';
import { callOnce, transcriptOf } from './call-story.js';
import {
  EMULATED_RECOGNISERS,
  type EmulatedRecogniser,
  type RecogniserName,
} from './emulators/speech/emulated-recognisers.js';
import { TESTED_VOICES } from './emulators/voices/tested-voices.js';
import { VoiceEmulator } from './emulators/voices/voice-emulator.js';
import type { TestService } from './test-service.js';
import type { VirtualClock } from './virtual-clock.js';

/** Every way to a voice with a recogniser of another vendor: each vendor of either is met. */
export const VENDOR_PAIRS: readonly (readonly [voice: string, recogniser: RecogniserName])[] = [
  ['ElevenLabs over sockets', 'nova of Deepgram'],
  ['ElevenLabs over HTTP', 'AssemblyAI'],
  ['Cartesia', 'Flux of Deepgram'],
  ['Deepgram Aura', 'Scribe of ElevenLabs'],
  ['Deepgram Flux', 'transcription of OpenAI'],
  ['OpenAI', 'a server with /audio/transcriptions'],
  ['Kokoro-FastAPI', 'nova of Deepgram'],
  ['speaches', 'AssemblyAI'],
];

/** What the caller says in a talk, one after the other. */
export const SAID = ['yes please', 'tuesday morning please', 'no thank you'];
const ASKED = ['May I ask you something?', 'When shall we come?', 'Anything else?'];

/** Both sides of a talk by vendors. */
export class VendorTalk {
  readonly recogniser: EmulatedRecogniser;
  readonly voice: VoiceEmulator;
  readonly #voiceName: string;

  private constructor(recogniser: EmulatedRecogniser, voice: VoiceEmulator, voiceName: string) {
    this.recogniser = recogniser;
    this.voice = voice;
    this.#voiceName = voiceName;
  }

  static async open([voice, recogniser]: (typeof VENDOR_PAIRS)[number], clock: VirtualClock) {
    const emulated = await EMULATED_RECOGNISERS[recogniser](clock, SAID);
    return new VendorTalk(emulated, await VoiceEmulator.open(TESTED_VOICES[voice]!.dialect, clock), voice);
  }

  /** The settings of a service that uses both. */
  get environment(): Environment {
    return { ...this.recogniser.environment, ...TESTED_VOICES[this.#voiceName]!.environment(this.voice.url) };
  }

  /** An agent who asks three questions. */
  get agent(): Record<string, unknown> {
    const { choice } = TESTED_VOICES[this.#voiceName]!;
    const step = (text: string, next: string) => {
      return { kind: 'ask', text, expect: { kind: 'anything' }, next, otherwise: 'bye' };
    };
    return {
      name: 'Reception',
      voice_provider: choice.provider,
      voice: choice.voice,
      transcription_provider: this.recogniser.provider,
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
    };
  }

  /** Expects that a call came to its end, and that all of it was heard and spoken by these vendors. */
  async expectHeard({ request }: TestService, time: VirtualClock, callId: string): Promise<CallResource> {
    const { provider } = TESTED_VOICES[this.#voiceName]!.choice;
    const call = await time.during(callOnce(request, callId));
    expect(call).toMatchObject({
      status: 'completed',
      ended_reason: 'agent_hangup',
      providers: { voice: provider, transcription: this.recogniser.provider, substituted: [] },
    });
    const entries = await transcriptOf(request, callId);
    const of = (side: string) => entries.filter(({ speaker }) => speaker === side).map(({ text }) => text);
    expect(of('customer')).toEqual(SAID);
    // Beside what it says to a silence.
    expect(of('agent')).toEqual(expect.arrayContaining([...ASKED, 'Thank you. Goodbye.']));
    const told = await request('GET', `/api/calls/${callId}/events`);
    expect(JSON.stringify(told.body)).not.toContain('provider_replaced');
    // Nothing was spoken by the voice behind all others.
    expect(call.usage?.speaking.map((used) => used.provider)).toEqual([provider]);
    return call;
  }

  async close(): Promise<void> {
    await this.voice.close();
    await this.recogniser.close();
  }
}
