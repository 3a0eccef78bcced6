import { describe, expect, it } from 'vitest';
import { SimulatedCallee } from '#telephony/sandbox/callees/simulated-callee.js';
import type { Script, ScriptStep } from '#telephony/sandbox/personas/persona.js';
import { dtmfTone } from '#media/detecting/dtmf.js';
import type { CalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';
import { settle } from '#test/support/fake-clock.js';

const says = (text: string, afterMs = 400): ScriptStep => ({
  when: 'agent_stopped',
  afterMs,
  action: { kind: 'say', text },
});
const presses = (digit: string): ScriptStep => ({
  when: 'agent_stopped',
  afterMs: 400,
  action: { kind: 'press', digit },
});
const hangsUpInMidSentence = (afterMs: number): ScriptStep => ({
  when: 'agent_speaking',
  afterMs,
  action: { kind: 'hang_up' },
});

const FRAME_SAMPLES = 160;
const SPEECH = new Int16Array(FRAME_SAMPLES).fill(4_000);
const FAINT = new Int16Array(FRAME_SAMPLES).fill(100);
/** Frames of silence that end a turn, and of the pause before an answer. */
const END_OF_TURN = 30;
const PAUSE = 20;

/** Lines of three frames and a half, whose samples tell which line they are of. */
function calleeAudio(texts: readonly string[], lost: readonly string[] = []): CalleeAudio {
  return {
    speech: async (text) => (lost.includes(text) ? null : new Int16Array(560).fill(texts.indexOf(text) + 1)),
    sound: () => new Int16Array(480).fill(99),
    noise: async () => null,
    close: () => {},
  };
}

async function meet(script: Script, voice = calleeAudio(['one', 'two', 'bye'])) {
  const keys: string[] = [];
  let hungUp = false;
  const callee = new SimulatedCallee({ script }, voice, {
    sendDigit: (digit) => keys.push(digit),
    hangUp: () => (hungUp = true),
  });
  await settle();
  /** The lines said in so many frames, by the value of their samples, and the frame in which the first one began. */
  const hear = (heard: Int16Array | null, frames: number) => {
    const said: number[] = [];
    let beganAt: number | null = null;
    for (let frame = 0; frame < frames; frame++) {
      const spoken = callee.frame(heard);
      if (!spoken) continue;
      expect(spoken).toHaveLength(FRAME_SAMPLES);
      beganAt ??= frame;
      said.push(spoken[0]!);
    }
    return { said, beganAt };
  };
  return { hear, keys, hasHungUp: () => hungUp };
}

describe('a callee', () => {
  it('says nothing before the agent has spoken', async () => {
    const { hear } = await meet({ steps: [says('one')], thereafter: says('bye') });
    expect(hear(null, 3_000).said).toEqual([]);
  });

  it('says its lines one after the other, a turn each, and then the last one again', async () => {
    const { hear } = await meet({ steps: [says('one'), says('two')], thereafter: says('bye') });
    for (const value of [1, 2, 3, 3]) {
      expect(hear(SPEECH, 50).said).toEqual([]);
      const { said, beganAt } = hear(null, 100);
      expect(said).toEqual([value, value, value, value]);
      expect(beganAt).toBe(END_OF_TURN + PAUSE - 1);
    }
  });

  it('waits on when the agent goes on speaking after a pause between two sentences', async () => {
    const { hear } = await meet({ steps: [says('one')], thereafter: null });
    hear(SPEECH, 50);
    expect(hear(null, END_OF_TURN + PAUSE - 5).said).toEqual([]);
    expect(hear(SPEECH, 50).said).toEqual([]);
    expect(hear(null, 100).beganAt).toBe(END_OF_TURN + PAUSE - 1);
  });

  it('does not take clicks or faint noise for a turn', async () => {
    const { hear } = await meet({ steps: [says('one')], thereafter: null });
    for (let click = 0; click < 5; click++) {
      hear(SPEECH, 2);
      hear(null, 10);
    }
    hear(FAINT, 100);
    expect(hear(null, 200).said).toEqual([]);
  });

  it('speaks its line to the end whatever it hears', async () => {
    const { hear } = await meet({ steps: [says('one'), says('two')], thereafter: null });
    hear(SPEECH, 50);
    hear(null, END_OF_TURN + PAUSE);
    expect(hear(SPEECH, 100).said).toEqual([1, 1, 1]);
    expect(hear(null, 100).said).toEqual([2, 2, 2, 2]);
  });

  it('ends its last frame with silence', async () => {
    const script = { steps: [says('one', 0)], thereafter: null };
    const callee = new SimulatedCallee({ script }, calleeAudio(['one']), {
      sendDigit: () => {},
      hangUp: () => {},
    });
    await settle();
    for (let frame = 0; frame < 10; frame++) callee.frame(SPEECH);
    const said = Array.from({ length: 60 }, () => callee.frame(null)?.slice()).filter((frame) => frame);
    expect([...said.at(-1)!]).toEqual([...Array<number>(80).fill(1), ...Array<number>(80).fill(0)]);
  });

  it('stays silent for ever without a script', async () => {
    const { hear, hasHungUp } = await meet({ steps: [], thereafter: null });
    for (let turn = 0; turn < 5; turn++)
      expect([...hear(SPEECH, 50).said, ...hear(null, 500).said]).toEqual([]);
    expect(hasHungUp()).toBe(false);
  });

  it('hangs up while the agent is speaking', async () => {
    const { hear, hasHungUp } = await meet({ steps: [hangsUpInMidSentence(1_000)], thereafter: null });
    hear(SPEECH, 20);
    hear(null, 100);
    expect(hasHungUp()).toBe(false);
    hear(SPEECH, 52);
    expect(hasHungUp()).toBe(false);
    hear(SPEECH, 2);
    expect(hasHungUp()).toBe(true);
  });

  it('hangs up on an agent that began to speak before the own line was over', async () => {
    const script = { steps: [says('one'), hangsUpInMidSentence(1_000)], thereafter: null };
    const { hear, hasHungUp } = await meet(script);
    hear(SPEECH, 50);
    hear(null, END_OF_TURN + PAUSE - 1);
    hear(SPEECH, 50);
    expect(hasHungUp()).toBe(false);
    hear(SPEECH, 10);
    expect(hasHungUp()).toBe(true);
  });

  it('presses keys', async () => {
    const { hear, keys } = await meet({ steps: [presses('1')], thereafter: presses('#') });
    for (let turn = 0; turn < 3; turn++) {
      hear(SPEECH, 50);
      hear(null, 100);
    }
    expect(keys).toEqual(['1', '#', '#']);
  });

  it('waits for keys of the agent, which are no turn of it, and whatever else it presses', async () => {
    const pressed = (keys: string, text: string): ScriptStep => ({
      when: 'keys_pressed',
      keys,
      afterMs: 100,
      action: { kind: 'say', text },
    });
    const atOnce: ScriptStep = { when: 'at_once', afterMs: 0, action: { kind: 'say', text: 'one' } };
    const script = { steps: [atOnce, pressed('1', 'two'), pressed('23#', 'bye')], thereafter: says('one') };
    const { hear } = await meet(script);
    /** What is said while keys are pressed, in frames of tones and pauses. */
    const press = (keys: string) =>
      [...keys].flatMap((key) => {
        const sound = dtmfTone(key, 8000);
        return Array.from(
          { length: 10 },
          (_, at) => hear(sound.subarray(at * 160, at * 160 + 160), 1).said[0],
        );
      });
    // Nothing interrupts the first line, and early digits are kept.
    expect(hear(SPEECH, 2).said).toEqual([1, 1]);
    expect(press('14').filter(Boolean)).toEqual([1, 1, 2, 2, 2, 2]);
    expect([...hear(SPEECH, 50).said, ...hear(null, 200).said]).toEqual([]);
    expect(press('723').filter(Boolean)).toEqual([]);
    expect(press('#').filter(Boolean)).toEqual([3, 3, 3, 3]);
    expect(hear(null, 200).said).toEqual([]);
  });

  it('skips a line for which it has no voice, and waits for one that is still being made', async () => {
    const waiting: ((line: Int16Array) => void)[] = [];
    const slow: CalleeAudio = {
      speech: (text) =>
        text === 'one' ? Promise.resolve(null) : new Promise((resolve) => waiting.push(resolve)),
      sound: () => new Int16Array(0),
      noise: async () => null,
      close: () => {},
    };
    const { hear } = await meet({ steps: [says('one'), says('two')], thereafter: null }, slow);
    hear(SPEECH, 50);
    expect(hear(null, 100).said).toEqual([]);
    hear(SPEECH, 50);
    expect(hear(null, 100).said).toEqual([]);
    waiting[0]!(new Int16Array(320).fill(2));
    await settle();
    expect(hear(null, 10).said).toEqual([2, 2]);
  });

  it('does what comes at once: when it picks up, and when the step before is over, whatever the agent does', async () => {
    const atOnce = (action: ScriptStep['action'], afterMs = 0): ScriptStep => ({
      when: 'at_once',
      afterMs,
      action,
    });
    const script: Script = {
      steps: [
        atOnce({ kind: 'say', text: 'one' }, 100),
        atOnce({ kind: 'play', sound: { kind: 'beep', durationMs: 60 } }, 40),
        atOnce({ kind: 'wait', durationMs: 200 }),
        atOnce({ kind: 'press', digit: '7' }),
        atOnce({ kind: 'say', text: 'two' }),
      ],
      thereafter: null,
    };
    const { hear, keys } = await meet(script);
    expect(hear(SPEECH, 5).said).toEqual([]);
    expect(hear(SPEECH, 4).said).toEqual([1, 1, 1, 1]);
    expect(hear(null, 6)).toEqual({ said: [99, 99, 99], beganAt: 2 });
    expect(keys).toEqual([]);
    expect(hear(null, 9).said).toEqual([]);
    expect(hear(null, 10).said).toEqual([2, 2, 2, 2]);
    expect(keys).toEqual(['7']);
  });

  it('goes on with what it does again and again', async () => {
    const thereafter: ScriptStep = { when: 'at_once', afterMs: 1_000, action: { kind: 'say', text: 'one' } };
    const { hear } = await meet({ steps: [], thereafter });
    expect(hear(null, 50 + 4 + 50 + 4).said).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
