import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { interpret } from '#playbook/understanding/interpret.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';

/** What an utterance means, in short: `answer:2026-11-24`, `answer:I am late +bye`, `leaving:goodbye`, `repeat`. */
function meaning(text: string, kind: 'anything' | 'date' | 'yes_no' | 'time'): string {
  const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
  const expectation: PlaybookExpectation = { kind };
  const found = interpret({ text, confidence: 0.9 }, { expectation, minConfidence: 0.3, now, region: 'US' });
  if (found.kind === 'answer') return `answer:${found.value}${found.leaving ? ' +bye' : ''}`;
  return found.kind === 'leaving' ? `leaving:${found.reason}` : found.kind;
}

describe('a message', () => {
  it.each([
    'please do not hang up on my mother when she calls',
    'the receptionist hung up and I had to hang up too',
    'they gave me the wrong number for the pharmacy',
    'you sent it to the wrong person last week',
    "I didn't understand the letter you sent me",
    "I don't understand why my bill is so high",
    'a representative came on monday and broke the sink',
    'the representative never showed up',
    'I need a repeat prescription for my tablets',
    'please repeat the blood test',
    'please hold on to my parcel',
    'hold the line of credit open for me',
    'tell her I have to go to the bank first',
    'tell the operator the lift is stuck',
    "I couldn't hear the doctor on my last visit",
    'ask her who is calling every night',
    "excuse me can you tell the doctor I'm late",
    'the reason for calling is my bill',
    'say bye to Anna and tell her I miss her',
    'my hearing aid is broken so I can not hear the doorbell',
    'please end the call forwarding on my account',
  ])('keeps its words: %s', (text) => {
    expect(meaning(text, 'anything')).toBe(`answer:${text}`);
  });

  it.each([
    ['tell her I will be late bye', 'answer:tell her i will be late +bye'],
    ['I am ill today thanks goodbye then', 'answer:i am ill today thanks then +bye'],
    ['goodbye', 'leaving:goodbye'],
    ['ok thank you bye bye', 'leaving:goodbye'],
    ['sorry I have to go', 'leaving:goodbye'],
    ['please hang up now', 'leaving:goodbye'],
    ["I think you've got the wrong number mate", 'leaving:wrong_number'],
    ['no sorry wrong person', 'leaving:wrong_number'],
    ['stop calling me', 'leaving:do_not_call'],
  ])('is left: %s is %s', (text, expected) => {
    expect(meaning(text, 'anything')).toBe(expected);
  });

  it.each([
    ['repeat that please', 'repeat'],
    ["sorry I didn't understand the question", 'repeat'],
    ["sorry I couldn't hear you the dog was barking", 'repeat'],
    ['what did you say your name was', 'repeat'],
    ['pardon', 'repeat'],
    ['hold on let me get a pen', 'hold'],
    ["hang on a second I'll ask my wife", 'hold'],
    ['one moment please', 'hold'],
    ['who is this', 'who'],
    ["who are you I don't know any clinic", 'who'],
    ['sorry what is this about', 'who'],
    ['representative', 'person'],
    ['I want to talk to a person about my bill', 'person'],
    ['can you put me through to billing', 'person'],
    ['operator please', 'person'],
  ])('is not begun by a request: %s is %s', (text, expected) => {
    expect(meaning(text, 'anything')).toBe(expected);
  });
});

describe('who has to go somewhere', () => {
  it.each([
    ['I have to go to work on Monday so Tuesday', 'date', 'answer:2026-11-24'],
    ['I have to go to a wedding on Saturday, Sunday is fine', 'date', 'answer:2026-11-22'],
    ['I need to go to the dentist on Monday so Wednesday', 'date', 'answer:2026-11-25'],
    ['Tuesday I have to go now bye', 'date', 'answer:2026-11-24 +bye'],
    ['Tuesday, I have to go', 'date', 'answer:2026-11-24 +bye'],
    ['I have to go to school at ten so three', 'time', 'answer:15:00'],
    ['no I have to go to the doctor that day', 'yes_no', 'answer:no'],
    ['do I have to go to the office', 'yes_no', 'unclear'],
    ['I have to go', 'date', 'leaving:goodbye'],
    ['I have to go to work', 'date', 'leaving:goodbye'],
    ['sorry I have to go to a meeting now', 'yes_no', 'leaving:goodbye'],
    ["I've got to go and pick up the kids", 'yes_no', 'leaving:goodbye'],
    ['I must go my bus is here', 'yes_no', 'leaving:goodbye'],
  ] as const)('%s to a question for a %s is %s', (text, kind, expected) => {
    expect(meaning(text, kind)).toBe(expected);
  });
});
