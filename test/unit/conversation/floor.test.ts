import { expect, it } from 'vitest';
import { Floor, type FloorStep } from '../../../src/conversation/turns/floor.js';
import { USUAL_TURNS } from '../../../src/conversation/talk/turn-settings.js';

/** What is done about somebody who has spoken for 600 ms over an agent that has paused, by the words so far. */
function after(words: string): FloorStep {
  const floor = new Floor(USUAL_TURNS, 'en-US');
  floor.agentBegan({ isSpeaking: false, voicedMs: 0, judgedMs: 0, plainMs: 0 });
  floor.turned('pause');
  floor.understandSoFar(words);
  return floor.tick({ isSpeaking: true, voicedMs: 600, judgedMs: 0, plainMs: 0 }, true, {
    isInterruptible: true,
    remainingMs: Infinity,
  });
}

it.each<[string, FloorStep]>([
  ['okay', 'none'],
  ['okay it', 'none'],
  ['yeah right you', 'none'],
  ['okay it is', 'commit'],
  ['okay wait', 'commit'],
  ['you', 'commit'],
  ['what', 'commit'],
])('the newest word after an acknowledgement is but a guess: "%s"', (words, step) => {
  expect(after(words)).toBe(step);
});

it.each<[string, number, FloorStep]>([
  ['of one person takes the floor', 300, 'commit'],
  ['that hisses takes it, too', 100, 'commit'],
  ['of a whole room, or a cough, gives it back', 40, 'resume'],
])('a voice without words %s', (_name, plainMs, step) => {
  const floor = new Floor(USUAL_TURNS, 'en-US');
  floor.agentBegan({ isSpeaking: false, voicedMs: 0, judgedMs: 0, plainMs: 0 });
  floor.turned('pause');
  expect(
    floor.tick({ isSpeaking: true, voicedMs: 500, judgedMs: 400, plainMs }, true, {
      isInterruptible: true,
      remainingMs: Infinity,
    }),
  ).toBe(step);
});

it('asks whether the agent may be interrupted only when it would be', () => {
  let asked = 0;
  const turn = {
    get isInterruptible() {
      asked += 1;
      return false;
    },
    remainingMs: Infinity,
  };
  const floor = new Floor(USUAL_TURNS, 'en-US');
  const voice = { isSpeaking: true, voicedMs: 0, judgedMs: 0, plainMs: 0 };
  floor.agentBegan(voice);
  for (; voice.voicedMs < USUAL_TURNS.pauseAfterMs; voice.voicedMs += 20) {
    expect(floor.tick(voice, false, turn)).toBe('none');
  }
  expect(asked).toBe(0);
  expect(floor.tick(voice, false, turn)).toBe('none');
  expect(asked).toBe(1);
});

it.each([
  ['two', USUAL_TURNS.meantFromMs, true],
  ['two', USUAL_TURNS.meantFromMs - 20, false],
  ['stop', USUAL_TURNS.meantFromMs - 20, true],
  ['okay', USUAL_TURNS.pauseAfterMs, false],
])('takes "%s" over the agent, in %d ms of voice, for meant: %s', (text, voicedMs, isMeant) => {
  const floor = new Floor(USUAL_TURNS, 'en-US');
  floor.awaitWords();
  const heard = { text, confidence: 0.9 };
  expect(floor.isMeant(heard, { voicedMs, plainMs: voicedMs, judgedMs: voicedMs, isSteady: false })).toBe(
    isMeant,
  );
});
