import { speaking } from '#test/support/call-languages.js';
import { expect, it } from 'vitest';
import { TurnArbitration, type ArbitrationStep } from '#conversation/turns/turn-arbitration.js';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';

/** What is done about somebody who has spoken for 600 ms over an agent that has paused, by the words so far. */
function after(words: string): ArbitrationStep {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  arbitration.agentBegan({ isSpeaking: false, voicedMs: 0, judgedMs: 0, singleVoiceMs: 0 });
  arbitration.pauseChanged('pause');
  arbitration.takePartialWords(words);
  return arbitration.tick({ isSpeaking: true, voicedMs: 600, judgedMs: 0, singleVoiceMs: 0 }, true, {
    isInterruptible: true,
    remainingMs: Infinity,
  });
}

it.each<[string, ArbitrationStep]>([
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

it.each<[string, number, ArbitrationStep]>([
  ['of one person takes the arbitration', 300, 'commit'],
  ['that hisses takes it, too', 100, 'commit'],
  ['of a whole room, or a cough, gives it back', 40, 'resume'],
])('a voice without words %s', (_name, singleVoiceMs, step) => {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  arbitration.agentBegan({ isSpeaking: false, voicedMs: 0, judgedMs: 0, singleVoiceMs: 0 });
  arbitration.pauseChanged('pause');
  expect(
    arbitration.tick({ isSpeaking: true, voicedMs: 500, judgedMs: 400, singleVoiceMs }, true, {
      isInterruptible: true,
      remainingMs: Infinity,
    }),
  ).toBe(step);
});

it('counts the voice since the agent began: nobody interrupts what has not begun', () => {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  const before = { isSpeaking: true, voicedMs: 4_000, judgedMs: 0, singleVoiceMs: 0 };
  arbitration.agentBegan(before);
  const after = (ms: number) =>
    arbitration.tick({ ...before, voicedMs: before.voicedMs + ms }, false, {
      isInterruptible: true,
      remainingMs: Infinity,
    });
  expect(after(DEFAULT_TURN_SETTINGS.pauseAfterMs - 20)).toBe('none');
  expect(after(DEFAULT_TURN_SETTINGS.pauseAfterMs)).toBe('pause');
});

it('never pauses an agent that may not be interrupted', () => {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  const voice = { isSpeaking: true, voicedMs: 0, judgedMs: 0, singleVoiceMs: 0 };
  arbitration.agentBegan(voice);
  for (; voice.voicedMs <= DEFAULT_TURN_SETTINGS.pauseAfterMs; voice.voicedMs += 20)
    expect(arbitration.tick(voice, false, { isInterruptible: false, remainingMs: Infinity })).toBe('none');
});

it.each([
  ['two', DEFAULT_TURN_SETTINGS.meantFromMs, true],
  ['two', DEFAULT_TURN_SETTINGS.meantFromMs - 20, false],
  ['stop', DEFAULT_TURN_SETTINGS.meantFromMs - 20, true],
  ['okay', DEFAULT_TURN_SETTINGS.pauseAfterMs, false],
])('takes "%s" over the agent, in %d ms of voice, for meant: %s', (text, voicedMs, isMeant) => {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  arbitration.awaitWords();
  const heard = { text, confidence: 0.9 };
  expect(
    arbitration.takeWords(heard, {
      voicedMs,
      singleVoiceMs: voicedMs,
      judgedMs: voicedMs,
      isSteady: false,
    }),
  ).toBe(isMeant);
});

it.each([
  [DEFAULT_TURN_SETTINGS.finishWithinMs - 20, 'none', true],
  [DEFAULT_TURN_SETTINGS.finishWithinMs, 'pause', false],
])(
  '"yes" while the agent has %d ms left to say: %s, and it is an answer: %s',
  (remainingMs, step, isMeant) => {
    const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
    arbitration.agentBegan({ isSpeaking: false, voicedMs: 0, judgedMs: 0, singleVoiceMs: 0 });
    const voice = { voicedMs: DEFAULT_TURN_SETTINGS.pauseAfterMs, judgedMs: 0, singleVoiceMs: 0 };
    expect(
      arbitration.tick({ ...voice, isSpeaking: true }, false, { isInterruptible: true, remainingMs }),
    ).toBe(step);
    arbitration.awaitWords();
    expect(arbitration.takeWords({ text: 'yes', confidence: 0.9 }, { ...voice, isSteady: false })).toBe(
      isMeant,
    );
  },
);

it('goes on only when the words of what was said are known', () => {
  const arbitration = new TurnArbitration(DEFAULT_TURN_SETTINGS, speaking('en-US'));
  const silence = { isSpeaking: false, voicedMs: 0, judgedMs: 0, singleVoiceMs: 0 };
  const tick = () => arbitration.tick(silence, true, { isInterruptible: true, remainingMs: Infinity });
  arbitration.agentBegan(silence);
  arbitration.pauseChanged('pause');
  arbitration.awaitWords();
  expect(tick()).toBe('none');
  arbitration.takeWords({ text: 'okay', confidence: 0.9 }, { ...silence, isSteady: false });
  expect(tick()).toBe('resume');
});
