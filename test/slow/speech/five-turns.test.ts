import { speaking as speakingIn } from '#test/support/call-languages.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { startConversation } from '#conversation/start-conversation.js';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { loadVoiceActivity, type VoiceActivity } from '#media/detecting/voice-activity.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { Stt } from '#speech/stt.js';
import {
  DEFAULT_AGENT_NAME,
  DEFAULT_INITIAL_MESSAGE,
  defaultPlaybook,
} from '#playbook/definition/default-playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import type { Tts } from '#speech/tts.js';
import { createSpeechPool, type SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedLine } from '#test/support/scripted-line.js';

const RATE_HZ = 8000;
const FRAME = 160;

let pool: SpeechPool;
let hearing: Stt;
let speaking: Tts;
let voiceActivity: VoiceActivity;

beforeAll(async () => {
  pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
  hearing = createPocketsphinxStt({ pool });
  speaking = createFliteTts({ pool });
  voiceActivity = await loadVoiceActivity();
  await pool.warmUp();
});

afterAll(() => pool.close());

/** What a person says, as a telephone line carries it: whole frames that went through μ-law. */
async function telephoneVoice(text: string): Promise<Int16Array[]> {
  const request = { text, voice: 'rms', language: 'en-US', sampleRateHz: RATE_HZ } as const;
  const samples: number[] = [];
  for await (const piece of speaking.speak(request)) samples.push(...piece);
  const coded = new Uint8Array(Math.ceil(samples.length / FRAME) * FRAME).fill(0xff);
  encodeUlaw(Int16Array.from(samples), coded);
  const heard = new Int16Array(coded.length);
  decodeUlaw(coded, heard);
  return Array.from({ length: coded.length / FRAME }, (_, frame) =>
    heard.slice(frame * FRAME, (frame + 1) * FRAME),
  );
}

/** The real providers, and the work of theirs that is under way, so that simulated time can wait for it. */
function watchedProviders() {
  const underWay = new Set<Promise<unknown>>();
  const watch = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const isDone = () => void underWay.delete(work);
    work.then(isDone, isDone);
    return work;
  };
  const watchedHearing: Stt = {
    ...hearing,
    async open(options) {
      const stream = await watch(hearing.open(options));
      return {
        expect: (expectation) => stream.expect(expectation),
        push(samples) {
          stream.push(samples);
          // Its thread answers in order: when it has answered this, what it made of the sound has been told.
          void watch(pool.warmUp());
        },
        finish: () => watch(stream.finish()),
        discard: () => stream.discard(),
        close: () => stream.close(),
      };
    },
  };
  const watchedSpeaking: Tts = {
    ...speaking,
    async *speak(request) {
      const pieces = speaking.speak(request)[Symbol.asyncIterator]();
      for (;;) {
        const piece = await watch(pieces.next());
        if (piece.done) return;
        yield piece.value;
      }
    },
  };
  return { underWay, stt: watchedHearing, tts: watchedSpeaking };
}

/** What the caller says: a moment after the agent has begun to listen, or while it speaks its turn of this number. */
type Answer = string | { text: string; overTurn: number };

/** Says one thing after the other until the agent hangs up. */
async function talk(answers: readonly Answer[]) {
  const voices = await Promise.all(
    answers.map((answer) => telephoneVoice(typeof answer === 'string' ? answer : answer.text)),
  );
  const clock = new FakeClock();
  const { log } = createMemoryLog();
  const pacingTimer = createPacingTimer({ clock, log });
  const line = createScriptedLine(RATE_HZ);
  const { underWay, ...providers } = watchedProviders();
  const entries: Entry[] = [];
  const turns: TurnTiming[] = [];
  const recorded: Int16Array[] = [];
  const said: { fromMs: number; toMs: number }[] = [];
  let isListening = false;
  let agentTurns = 0;
  let interruptions = 0;
  const brief = briefOf({
    agentName: DEFAULT_AGENT_NAME,
    initialMessage: DEFAULT_INITIAL_MESSAGE,
    playbook: defaultPlaybook,
    variables: { name: 'Sam' },
  });
  const conversation = startConversation(
    {
      agent: {
        dialogue: createPlaybooks().open(brief),
        ...providers,
        voice: 'slt',
        language: speakingIn('en-US'),
      },
      line,
      limits: { silenceTimeoutSeconds: 30, idlePromptSeconds: 10, maxIdlePrompts: 2 },
      observer: {
        onState(state) {
          isListening = state === 'listening';
          if (state === 'speaking') agentTurns += 1;
        },
        onPartial: () => {},
        onEntry: (entry) => void entries.push(entry),
        onTurn: (timing) => void turns.push(timing),
        onInterrupted: () => void (interruptions += 1),
      },
    },
    {
      clock,
      log,
      pacingTimer,
      voiceActivity,
      recorder: {
        write: (customer) => void recorded.push(customer?.slice() ?? new Int16Array(FRAME)),
        insertLate: () => {},
        stalled: () => {},
        retract: () => {},
      },
    },
  );
  let isOver = false;
  void conversation.ended.then(() => (isOver = true));

  const silence = new Int16Array(FRAME);
  const send = async (frame: Int16Array) => {
    await settle();
    while (underWay.size > 0) {
      await Promise.allSettled(underWay);
      await settle();
    }
    await clock.advance(20);
    conversation.hear(frame);
  };
  for (const [index, voice] of voices.entries()) {
    const answer = answers[index]!;
    const mayBegin = () => (typeof answer === 'string' ? isListening : agentTurns === answer.overTurn);
    while (!mayBegin() && !isOver) await send(silence);
    for (let frame = 0; frame < 25; frame += 1) await send(silence);
    const fromMs = line.frames.length * 20;
    for (const frame of voice) await send(frame);
    said.push({ fromMs, toMs: line.frames.length * 20 });
    while (isListening && !isOver) await send(silence);
  }
  while (!isOver && line.frames.length < 50 * 120) await send(silence);
  const result = await conversation.ended;
  return { result, entries, turns, said, line, recorded, clock, pacingTimer, interruptions };
}

// Threads that really listen and speak take their time on a busy machine; the times of the call are simulated.
describe('a call with the built-in recogniser, voices and playbook', () => {
  it('is understood on both sides through five turns, with true times', async () => {
    const answers = ['yes I have time', 'yes I will be there', 'morning please', 'yes please'];
    const { result, entries, turns, said, line, recorded, clock, pacingTimer } = await talk(answers);

    expect(entries.map(({ speaker }) => speaker)).toEqual([
      'agent',
      'customer',
      'agent',
      'customer',
      'agent',
      'customer',
      'agent',
      'customer',
      'agent',
    ]);
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard.map(({ text }) => text)).toEqual(answers.map((answer) => answer.toLowerCase()));
    for (const [index, entry] of heard.entries()) {
      expect(entry.confidence).toBeGreaterThan(0.5);
      expect(Math.abs(entry.startMs - said[index]!.fromMs)).toBeLessThanOrEqual(150);
      expect(Math.abs(entry.endMs - said[index]!.toMs)).toBeLessThanOrEqual(150);
    }

    const spoken = entries.filter(({ speaker }) => speaker === 'agent');
    expect(spoken[0]!.text).toBe(
      'Hello Sam, this is the Callwright sandbox clinic, calling about your appointment tomorrow at ten. ' +
        'Is this a good time to talk?',
    );
    expect(spoken.at(-1)!.text).toBe(
      'We will send you a text message. Thank you, and see you tomorrow at ten. Goodbye.',
    );
    for (const entry of spoken) {
      const loud = line.loudSpan(entry.startMs / 20)!;
      expect(Math.abs(loud.startMs - entry.startMs)).toBeLessThanOrEqual(60);
    }
    expect(line.loudSpan()!.endMs).toBeGreaterThan(spoken.at(-1)!.endMs - 100);

    expect(recorded.length).toBe(line.frames.length);
    // The end-of-turn window is 600 ms, or 300 ms when the words came in time; the detector hangs over a little.
    for (const turn of turns) {
      expect(turn.endOfTurnMs).toBeGreaterThanOrEqual(300);
      expect(turn.totalMs).toBeLessThanOrEqual(800);
    }
    expect(turns.length).toBe(4);
    expect(result).toMatchObject({
      end: { by: 'agent' },
      outcome: { intent: 'confirm_appointment', resolutionAchieved: true, answers: { slot: 'morning' } },
      audioQuality: 1,
    });
    expect([clock.armed, pacingTimer.members]).toEqual([0, 0]);
  });

  it('asks again when somebody says what nobody expects', async () => {
    const { entries, result } = await talk(['Purple elephants dance quickly.', 'No.']);
    expect(entries.map(({ speaker }) => speaker)).toEqual([
      'agent',
      'customer',
      'agent',
      'customer',
      'agent',
    ]);
    expect(entries[2]!.text).toContain('Sorry');
    expect(entries[1]).toMatchObject({ text: '', confidence: 0 });
    expect(entries[3]!.text).toMatch(/^no/);
    expect(result.outcome.intent).toBe('not_now');
  });

  it('stops for a caller who means it, not for one who only agrees, and remembers what was heard', async () => {
    const { entries, line, interruptions } = await talk([
      'yes I have time',
      { text: 'uh huh', overTurn: 2 },
      'yes I will be there',
      { text: 'wait a minute please', overTurn: 3 },
    ]);
    const agent = entries.filter(({ speaker }) => speaker === 'agent');
    expect(agent[1]).toMatchObject({ text: 'Will you come to your appointment?', interrupted: false });
    expect(interruptions).toBe(1);
    const cut = agent[2]!;
    expect(cut.interrupted).toBe(true);
    expect('Very good. For your next visit, do you prefer the morning or the afternoon?').toContain(cut.text);
    expect(cut.text.length).toBeGreaterThan(4);
    expect(line.clearedAt.at(-1)).toBe(cut.endMs / 20);
    expect(line.isLoud(cut.endMs / 20)).toBe(false);
    const barge = entries.find(({ startMs, speaker }) => speaker === 'customer' && startMs > cut.startMs)!;
    expect(cut.endMs - barge.startMs).toBeGreaterThanOrEqual(180);
    expect(cut.endMs - barge.startMs).toBeLessThanOrEqual(400);
  });
});
