import { speaking } from '#test/support/call-languages.js';
import { describe, expect, it } from 'vitest';
import { AnsweringMachineDetector } from '#conversation/answering/answering-machine-detector.js';

const FRAME = 160;
const RATE_HZ = 8_000;
const quiet = new Int16Array(FRAME);

const SCREENING = 'please say your name and why you are calling after the tone';
const GREETING = 'you have reached Jordan please leave a message after the beep';

function beep(frame: number): Int16Array {
  return Int16Array.from({ length: FRAME }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * (frame * FRAME + index)) / RATE_HZ)),
  );
}

/** A phone that somebody, or something, has answered: each of these goes on from where the one before ended. */
function answered() {
  const told: string[] = [];
  const watch = new AnsweringMachineDetector({
    language: speaking('en-US'),
    sampleRateHz: RATE_HZ,
    onAnswerer: (answerer) => void told.push(answerer),
    onBeep: () => void told.push('beep'),
  });
  let atMs = 0;
  const frames = (forMs: number, frame: (at: number) => Int16Array, isSpoken: boolean) => {
    for (let ms = 20; ms <= forMs; ms += 20) watch.hear(frame(ms / 20 - 1), isSpoken ? ms : 0, !isSpoken);
    atMs += forMs;
  };
  return {
    told,
    wait: (forMs: number) => frames(forMs, () => quiet, false),
    beep: () => frames(400, beep, false),
    /** Speaks, and something may beep meanwhile; what was said is to be told later. */
    speak(forMs: number, beepAtMs = Infinity) {
      const startMs = atMs;
      const isBeep = (at: number) => at * 20 >= beepAtMs && at * 20 < beepAtMs + 400;
      frames(forMs, (at) => (isBeep(at) ? beep(at) : quiet), true);
      const endMs = atMs;
      return { isUnderstoodAs: (text: string) => watch.takeTranscript({ text, startMs, endMs }) };
    },
  };
}

describe('a screening service', () => {
  it('is no machine where it beeps for the name', () => {
    const { told, speak, wait, beep: tone } = answered();
    speak(5_000).isUnderstoodAs(SCREENING);
    wait(300);
    tone();
    wait(3_000);
    expect(told).toEqual(['screening']);
  });

  it('is none either where it is understood only behind its beep', () => {
    const { told, speak, wait, beep: tone } = answered();
    const said = speak(5_000);
    wait(300);
    tone();
    wait(400);
    said.isUnderstoodAs(SCREENING);
    wait(10_000);
    expect(told).toEqual(['screening']);
  });

  it('lets a person answer, with whatever beeps beside them', () => {
    const { told, speak, wait, beep: tone } = answered();
    speak(5_000).isUnderstoodAs(SCREENING);
    wait(8_000);
    tone();
    wait(4_000);
    speak(600).isUnderstoodAs('hello');
    wait(400);
    tone();
    wait(3_000);
    expect(told).toEqual(['screening']);
  });

  it('is told of once, however often it asks', () => {
    const { told, speak, wait } = answered();
    speak(5_000).isUnderstoodAs(SCREENING);
    wait(8_000);
    speak(3_000).isUnderstoodAs('please say your name and why you are calling');
    expect(told).toEqual(['screening']);
  });

  it('has rung in vain when a machine answers behind it', () => {
    const { told, speak, wait, beep: tone } = answered();
    speak(5_000).isUnderstoodAs(SCREENING);
    wait(32_000);
    speak(4_500).isUnderstoodAs(GREETING);
    wait(300);
    tone();
    expect(told).toEqual(['screening', 'machine', 'beep']);
  });
});

describe('a long greeting that nobody has understood by the time it beeps', () => {
  it('is a machine as soon as its words do not say otherwise', () => {
    const { told, speak, wait, beep: tone } = answered();
    const said = speak(5_000);
    wait(300);
    tone();
    wait(400);
    said.isUnderstoodAs('');
    expect(told).toEqual(['machine', 'beep']);
  });

  it('is a machine, too, when no words come', () => {
    const { told, speak, wait, beep: tone } = answered();
    speak(5_000);
    wait(300);
    tone();
    wait(3_000);
    expect(told).toEqual(['machine', 'beep']);
  });

  it('is none where somebody speaks on behind the beep', () => {
    const { told, speak, wait } = answered();
    const said = speak(10_000, 5_000);
    wait(700);
    said.isUnderstoodAs('good morning Smith and sons this is Ada speaking how can I help you');
    wait(3_000);
    expect(told).toEqual([]);
  });
});
