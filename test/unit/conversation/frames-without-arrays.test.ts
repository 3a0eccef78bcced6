import { expect, it } from 'vitest';
import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { arraysMade } from '#test/support/arrays-made.js';
import { pinkNoise } from '#test/support/noise.js';
import { listen, say, startTalk } from '#test/support/scripted-talk.js';

const FRAMES = 1_000;
const SAMPLES = 160;
const NOISE = pinkNoise({ samples: FRAMES * SAMPLES, levelDb: -10 });
const FRAMES_OF_NOISE = Array.from({ length: FRAMES }, (_, at) =>
  NOISE.slice(at * SAMPLES, (at + 1) * SAMPLES),
);

it.each([
  ['heard while the agent listens', 'Hello.', 0],
  // The test's own voice comes in pieces of 100 ms.
  ['heard and said at once', 'hello '.repeat(1_000), FRAMES / 5],
])('a frame is %s without an array being made', async (_, text, most) => {
  const talk = startTalk({
    script: [[say(text, false), listen]],
    limits: { silenceTimeoutSeconds: 1_000, idlePromptSeconds: 1_000 },
    parts: { voiceActivity: await loadVoiceActivity(), recorder: null },
  });
  await talk.wait(2_000);
  const state = talk.states.at(-1);
  // The far end of a test's line keeps what it is sent.
  talk.line.send = () => {};
  const made = await arraysMade(async () => {
    for (const frame of FRAMES_OF_NOISE) {
      await talk.clock.advance(20);
      talk.conversation.hear(frame);
    }
  });
  expect(talk.states.at(-1)).toBe(state);
  expect(made).toBeLessThanOrEqual(most);
  talk.conversation.stop();
});
