import { describe, expect, it } from 'vitest';
import { SilenceLadder } from '#conversation/turns/silence-ladder.js';

const ladder = () =>
  new SilenceLadder({ silenceTimeoutSeconds: 30, idlePromptSeconds: 10, maxIdlePrompts: 2 });

/** The first step within `seconds`, and when it came. */
function firstStep(of: SilenceLadder, seconds: number, isQuiet = true) {
  for (let tick = 1; tick <= seconds * 50; tick += 1) {
    const step = of.tick(isQuiet);
    if (step !== 'none') return [step, tick / 50];
  }
  return null;
}

describe('the silence ladder', () => {
  it('asks twice, then hangs up after 30 s in which the caller could have spoken', () => {
    const silence = ladder();
    silence.agentStopped(false);
    expect(firstStep(silence, 60)).toEqual(['prompt', 10]);
    // The question is asked again: as long as it takes, the caller can be expected to listen.
    expect(firstStep(silence, 25, false)).toBeNull();
    silence.agentStopped(true);
    expect(firstStep(silence, 60)).toEqual(['prompt', 10]);
    silence.agentStopped(true);
    expect(firstStep(silence, 60)).toEqual(['hang_up', 10]);
    expect(silence.prompts).toBe(2);
  });

  it('begins anew when the caller is heard', () => {
    const silence = ladder();
    expect(firstStep(silence, 60)).toEqual(['prompt', 10]);
    silence.callerActed();
    expect(silence.prompts).toBe(0);
    expect(firstStep(silence, 60)).toEqual(['prompt', 10]);
  });

  it('waits for the agent: a long turn is no silence of the caller', () => {
    const silence = ladder();
    expect(firstStep(silence, 100, false)).toBeNull();
    silence.agentStopped(false);
    expect(firstStep(silence, 60)).toEqual(['prompt', 10]);
  });

  it('never asks when it may not', () => {
    const silence = new SilenceLadder({ silenceTimeoutSeconds: 5, idlePromptSeconds: 2, maxIdlePrompts: 0 });
    expect(firstStep(silence, 60)).toEqual(['hang_up', 5]);
  });
});
