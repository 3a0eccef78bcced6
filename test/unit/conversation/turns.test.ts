import { describe, expect, it } from 'vitest';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import { settle } from '#test/support/fake-clock.js';
import { loudIsVoice } from '#test/support/loud-is-voice.js';
import { end, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';
import { toneMs } from '#test/support/scripted-tts.js';

const QUESTION = 'Would you like to come on Monday at nine in the morning?';

const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const isSpeaking = (talk: Talk) => () => talk.states.at(-1) === 'speaking';

describe('times', () => {
  it('are those of the frames, for both sides', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['yes'] });
    await talk.waitUntil(isListening(talk));
    await talk.wait(1_000);
    const spokeAtMs = talk.line.frames.length * 20;
    await talk.speak(700);
    await talk.waitUntil(() => talk.result() !== null);

    const [agent, customer] = talk.entries;
    expect(talk.line.loudSpan()).toEqual({ startMs: agent!.startMs, endMs: agent!.endMs });
    expect(agent!.endMs - agent!.startMs).toBe(toneMs(QUESTION));
    expect(customer).toMatchObject({ startMs: spokeAtMs, endMs: spokeAtMs + 700 });
  });

  it('of a recording agree with the transcript to the frame, also after a stall', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Thank you.'), end],
      ],
      utterances: ['yes'],
    });
    await talk.wait(500);
    await talk.stall(300);
    await talk.waitUntil(isListening(talk));
    await talk.speak(700);
    await talk.waitUntil(() => talk.result() !== null);

    const { customer, agent } = talk.recorded;
    expect(agent).toEqual(talk.line.frames);
    expect(customer.length).toBe(agent.length);
    const [question, answer, hangUpSequence] = talk.entries;
    const loudMs = customer.flatMap((frame, tick) => (frame[0] === 0 ? [] : [tick * 20]));
    expect([loudMs[0], loudMs.at(-1)! + 20]).toEqual([answer!.startMs, answer!.endMs]);
    expect(talk.line.loudSpan(answer!.endMs / 20)).toEqual({
      startMs: hangUpSequence!.startMs,
      endMs: hangUpSequence!.endMs,
    });
    expect(question!.startMs).toBeLessThan(100);
  });

  it('have a pause between sentences and none before the first', async () => {
    const talk = startTalk({ script: [[say('There is a sentence. That is another one.'), end]] });
    await talk.waitUntil(() => talk.result() !== null);
    const [entry] = talk.entries;
    expect(entry!.startMs).toBe(0);
    const spokenMs = toneMs('There is a sentence.') + toneMs('That is another one.');
    expect(entry!.endMs).toBe(spokenMs + 220);
    // The pause after the last word before hanging up.
    expect(talk.line.frames.length * 20 - entry!.endMs).toBe(200);
  });
});

describe('the end of a turn', () => {
  it('comes sooner when the words so far answer the question', async () => {
    const yesNo = { kind: 'listen', hints: { kind: 'yes_no' } } as const;
    const talk = startTalk({
      script: [
        [say('Is it?'), yesNo],
        [say('Good.'), end],
      ],
      utterances: ['yes'],
    });
    await talk.waitUntil(isListening(talk));
    await talk.speak(500);
    await talk.waitUntil(() => talk.turns.length === 1);
    expect(talk.partials).toEqual(['yes']);
    expect(talk.turns[0]).toMatchObject({ endOfTurnMs: 300, totalMs: 300 });
  });

  it('is not in a pause for breath', async () => {
    const talk = startTalk({ script: [[listen], [end]], utterances: ['my name is Robin'] });
    await talk.wait(200);
    await talk.speak(400);
    await talk.wait(500);
    await talk.speak(400);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: my name is Robin']);
    expect(talk.entries[0]).toMatchObject({ startMs: 200, endMs: 1_500 });
  });

  it('comes after half a minute even of a siren', async () => {
    const talk = startTalk({ script: [[listen], [say('It is loud.'), listen]], utterances: [''] });
    await talk.speak(31_500);
    expect(talk.asked).toEqual(['begin', 'reply: ']);
    expect(talk.entries[0]).toMatchObject({ speaker: 'customer', text: '', confidence: 0, endMs: 30_000 });
  });

  it('gives the recogniser nothing twice of a voice that was cut', async () => {
    const talk = startTalk({ script: [[listen], [listen]], utterances: ['so long', 'a story'] });
    await talk.wait(2_000);
    await talk.speak(33_000);
    await talk.waitUntil(() => talk.entries.length === 2);
    const [first, second] = talk.hearing.streams[0]!.utteranceSamples;
    // With what was before it, and the silence that has ended it.
    expect(first! + second!).toBe(((300 + 33_000 + 600) * 8_000) / 1_000);
    talk.conversation.stop();
  });

  it('gives the recogniser 400 ms from before the voice was noticed', async () => {
    const talk = startTalk({ script: [[listen], [end]], utterances: ['yes'] });
    await talk.wait(2_000);
    await talk.speak(500);
    await talk.waitUntil(() => talk.result() !== null);
    // Noticed after 100 ms of voice: 300 ms of silence, 500 ms of voice, 600 ms of silence.
    expect(talk.hearing.streams[0]!.utteranceSamples).toEqual([(1_400 * 8_000) / 1_000]);
  });
});

describe('what is no speech', () => {
  it('is neither answered nor written down', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen], [end]], utterances: [''] });
    await talk.waitUntil(isListening(talk));
    await talk.speak(160);
    await talk.wait(3_000);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.entries.length).toBe(1);
    expect(talk.states.at(-1)).toBe('listening');
  });

  it('is a beep, whatever a recogniser makes of it; but not what was said before it', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen], [end]], utterances: ['wrong', 'yes'] });
    const beep = async () => {
      for (let frame = 0; frame < 25; frame += 1) {
        await talk.clock.advance(20);
        const at = (sample: number) => (2 * Math.PI * 1_000 * (frame * 160 + sample)) / 8_000;
        talk.conversation.hear(new Int16Array(160).map((_, sample) => 8_000 * Math.sin(at(sample))));
        await settle();
      }
    };
    await talk.waitUntil(isListening(talk));
    await beep();
    await talk.wait(2_000);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.entries.length).toBe(1);
    await talk.speak(400);
    await beep();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'reply: yes']);
  });

  it('is music on hold, whatever a recogniser makes of it: no turn, and no interruption', async () => {
    const music: VoiceActivity = {
      open: (sampleRateHz) => ({ ...loudIsVoice.open(sampleRateHz), isSteady: true }),
    };
    const talk = startTalk({
      script: [[say(QUESTION), listen], [end]],
      utterances: ['stop it now', 'yes'],
      parts: { voiceActivity: music },
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(400);
    await talk.waitUntil(isListening(talk));
    await talk.speak(600);
    await talk.wait(3_000);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.interruptions.count).toBe(0);
    expect(talk.entries.map(({ text }) => text)).toEqual([QUESTION]);
  });
});

describe('keys and typed turns', () => {
  it('interrupt and are answered', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Thank you.'), end],
      ],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(300);
    talk.conversation.press('1');
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: 1']);
    expect(talk.entries.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['agent', 'Would'],
      ['customer', '1'],
      ['agent', 'Thank you.'],
    ]);
    expect(talk.turns[0]).toMatchObject({ endOfTurnMs: 0, totalMs: 0 });
  });

  it('of a number make the agent fall silent, and are one answer; a late # is none', async () => {
    const rating: DialogueOutput = { kind: 'listen', hints: { kind: 'number', max: 99, isWhole: true } };
    const talk = startTalk({
      script: [
        [say(QUESTION), rating],
        [say('Thank you for your answer.'), listen],
      ],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(300);
    talk.conversation.press('4');
    await talk.wait(100);
    expect(talk.interruptions.count).toBe(1);
    talk.conversation.press('2');
    await talk.waitUntil(isSpeaking(talk));
    talk.conversation.press('#');
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    expect(talk.asked).toEqual(['begin', 'reply: 42']);
    expect(talk.entries.at(-1)).toMatchObject({ text: 'Thank you for your answer.', interrupted: false });
  });

  it('wait where the agent may not be interrupted', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION, false), listen],
        [say('Thank you.'), end],
      ],
    });
    await talk.waitUntil(isSpeaking(talk));
    talk.conversation.type('Monday is fine');
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: Monday is fine']);
    expect(talk.entries[1]).toMatchObject({ speaker: 'agent', text: QUESTION, interrupted: false });
  });

  describe('that wait', () => {
    /** Speaks a sentence that may not be interrupted, during which 1 is pressed, and goes on with one that may. */
    async function pressEarly(...utterances: string[]): Promise<Talk> {
      const talk = startTalk({
        script: [
          [say('This call is recorded.', false), say(QUESTION), listen],
          [say('And when?'), listen],
          [say('And when?'), listen],
          [say('Thank you.'), end],
        ],
        utterances,
      });
      await talk.waitUntil(isSpeaking(talk));
      talk.conversation.press('1');
      await talk.wait(2_000);
      return talk;
    }

    it('are answered with what is said over the agent then, not after its next question', async () => {
      const talk = await pressEarly('wait a moment', 'on Monday');
      await talk.speak(900);
      await talk.waitUntil(() => talk.asked.includes('reply: 1 wait a moment'));
      await talk.waitUntil(() => talk.states.at(-1) === 'listening');
      await talk.speak(600);
      await talk.waitUntil(() => talk.result() !== null);
      expect(talk.asked.filter((asked) => asked.startsWith('reply')).slice(-2)).toEqual([
        'reply: 1 wait a moment',
        'reply: on Monday',
      ]);
    });

    it('are answered before what is pressed later', async () => {
      const talk = await pressEarly();
      talk.conversation.press('2');
      await talk.waitUntil(() => talk.asked.length === 3);
      expect(talk.asked).toEqual(['begin', 'reply: 1', 'reply: 2']);
      expect(talk.interruptions.count).toBe(1);
    });
  });
});
