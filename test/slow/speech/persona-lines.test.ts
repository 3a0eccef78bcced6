import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { RecognitionHints, Transcript, Stt } from '#speech/stt.js';
import {
  DEFAULT_AGENT_NAME,
  DEFAULT_INITIAL_MESSAGE,
  defaultPlaybook,
} from '#playbook/definition/default-playbook.js';
import { createPlaybooks } from '#test/support/playbooks.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import type { Tts } from '#speech/tts.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { createSpeechPool, type SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import type { Persona, ScriptStep } from '#telephony/sandbox/personas/persona.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { createCalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const MOST_TURNS = 10;
const PRE_ROLL = new Int16Array(8 * 300);

/** The script of a persona against the agent that everybody has at first: real voices and ears, without the waiting. */
describe('what the personas say', () => {
  let pool: SpeechPool;
  let speaking: Tts;
  let hearing: Stt;
  const { log } = createMemoryLog();

  beforeAll(async () => {
    pool = createSpeechPool({ threads: 1, log });
    await pool.warmUp();
    speaking = createFliteTts({ pool });
    hearing = createPocketsphinxStt({ pool });
  });
  afterAll(() => pool.close());

  async function heardOverTelephone(text: string, expectation: RecognitionHints): Promise<Transcript> {
    const line = await createCalleeAudio({ tts: speaking, log }).speech(text);
    const bytes = Buffer.alloc(line!.length);
    const samples = new Int16Array(line!.length);
    encodeUlaw(line!, bytes);
    decodeUlaw(bytes, samples);
    const ear = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    ear.expect(expectation);
    for (const piece of [PRE_ROLL, samples, PRE_ROLL]) ear.push(piece);
    const heard = await ear.finish();
    ear.close();
    return heard;
  }

  async function talkTo(persona: Persona) {
    const { signal } = new AbortController();
    const brief = { agentName: DEFAULT_AGENT_NAME, initialMessage: DEFAULT_INITIAL_MESSAGE };
    const session = createPlaybooks().open({
      ...brief,
      systemPrompt: null,
      language: 'en-US',
      playbook: defaultPlaybook,
      variables: { name: 'Ada' },
    });
    const transcript: string[] = [];
    let thoughts = await all(session.turn({ kind: 'opening' }, signal));
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const last = thoughts.at(-1);
      if (last?.kind !== 'listen') break;
      const heard = await heardOverTelephone(lineOf(persona, turn), last.hints);
      transcript.push(heard.text);
      thoughts = await all(session.turn({ kind: 'heard', transcript: heard }, signal));
    }
    return { transcript, outcome: session.outcome() };
  }

  function named(name: string): Persona {
    return PERSONAS.find((persona) => persona.name === name)!;
  }

  it('is understood word for word and confirms the appointment in five turns', async () => {
    const persona = named('Talks and confirms');
    const { transcript, outcome } = await talkTo(persona);
    expect(transcript).toEqual([0, 1, 2, 3].map((turn) => lineOf(persona, turn).toLowerCase()));
    expect(outcome).toMatchObject({ intent: 'confirm_appointment', resolutionAchieved: true });
    expect(outcome.answers).toMatchObject({ coming: 'yes', slot: 'morning', text_reminder: 'yes' });
  });

  it('is understood word for word and declines the appointment', async () => {
    const persona = named('Talks and declines');
    const { transcript, outcome } = await talkTo(persona);
    expect(transcript).toEqual([0, 1].map((turn) => lineOf(persona, turn).toLowerCase()));
    expect(outcome).toMatchObject({ intent: 'decline_appointment', resolutionAchieved: false });
  });
});

function lineOf({ script }: Persona, turn: number): string {
  const step: ScriptStep | null = script.steps[turn] ?? script.thereafter;
  if (step?.action.kind !== 'say') throw new Error(`nothing is said in turn ${turn}`);
  return step.action.text;
}

async function all(thoughts: AsyncIterable<DialogueOutput>): Promise<DialogueOutput[]> {
  const list: DialogueOutput[] = [];
  for await (const thought of thoughts) list.push(thought);
  return list;
}
