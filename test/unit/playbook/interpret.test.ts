import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { bareYesNo, interpret } from '#playbook/understanding/interpret.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';

const YES_NO: PlaybookExpectation = { kind: 'yes_no' };
const ANYTHING: PlaybookExpectation = { kind: 'anything' };

function read(text: string, expectation: PlaybookExpectation = YES_NO, confidence = 0.9) {
  const now = DateTime.fromISO('2026-11-21T12:00', { zone: 'America/New_York' });
  return interpret({ text, confidence }, { expectation, minConfidence: 0.3, now, region: 'US' });
}

describe('what an utterance means', () => {
  it('reads nothing into silence or into words it is not sure of', () => {
    expect(read('', YES_NO, 0)).toEqual({ kind: 'unclear' });
    expect(read('yes', YES_NO, 0.29)).toEqual({ kind: 'unclear' });
    expect(read('yes', YES_NO, 0.3)).toEqual({ kind: 'answer', value: 'yes', leaving: false });
  });

  it('waits where nothing but that is asked, unless it is one of the answers', () => {
    const stop = { value: 'stop', phrases: ['stop'] };
    const choice: PlaybookExpectation = {
      kind: 'choice',
      options: [stop, { value: 'on', phrases: ['continue'] }],
    };
    expect(read('Stop', choice)).toMatchObject({ kind: 'answer', value: 'stop' });
    expect(read('no, wait', choice)).toEqual({ kind: 'hold' });
    expect(read('wait', { kind: 'yes_no', no: ['wait'] })).toMatchObject({ kind: 'answer', value: 'no' });
    expect(read('wait', { kind: 'anything' })).toEqual({ kind: 'hold' });
    expect(read("I can't wait", { kind: 'yes_no' })).toMatchObject({ kind: 'answer', value: 'yes' });
  });

  it('takes keys for the answers, in their order', () => {
    const choice: PlaybookExpectation = {
      kind: 'choice',
      options: [
        { value: 'tea', phrases: ['a cup of tea'] },
        { value: 'coffee', phrases: ['black coffee'] },
      ],
    };
    expect(read('1', { kind: 'yes_no' })).toMatchObject({ kind: 'answer', value: 'yes' });
    expect(read('2', { kind: 'yes_no' })).toMatchObject({ kind: 'answer', value: 'no' });
    expect(read('3', { kind: 'yes_no' })).toEqual({ kind: 'unclear' });
    expect(read('2', choice)).toMatchObject({ kind: 'answer', value: 'coffee' });
    expect(read('3', choice)).toEqual({ kind: 'unclear' });
  });

  it('tells a service that screens the call who is calling', () => {
    const service =
      'Hello. The person you are calling is using a screening service. Please say your name and why you are calling.';
    expect(read(service, { kind: 'yes_no' })).toEqual({ kind: 'who' });
    expect(read('Thank you. Please stay on the line.', { kind: 'yes_no' })).toEqual({ kind: 'hold' });
  });

  it('keeps free speech as it was said, without a goodbye taken for an answer', () => {
    expect(read(' Tell her I will be late. ', ANYTHING)).toEqual({
      kind: 'answer',
      value: 'Tell her I will be late.',
      leaving: false,
    });
    expect(read('Goodbye.', ANYTHING)).toEqual({ kind: 'leaving', reason: 'goodbye', moment: null });
  });

  it('takes the phrases of the question for its answer before anything else', () => {
    const question: PlaybookExpectation = { kind: 'yes_no', no: ['call me later', 'cancel'] };
    expect(read('Please cancel it', question)).toEqual({ kind: 'answer', value: 'no', leaving: false });
    expect(read('Call me later', question)).toEqual({ kind: 'answer', value: 'no', leaving: true });
    expect(read('Stop calling me', question)).toEqual({
      kind: 'leaving',
      reason: 'do_not_call',
      moment: null,
    });
  });

  it('keeps “call me back” as the message that it is', () => {
    expect(read('Please call me back.', ANYTHING)).toMatchObject({
      kind: 'answer',
      value: 'Please call me back.',
    });
  });

  it('takes only a short yes or no for nothing else', () => {
    expect(bareYesNo('No, thank you.')).toBe('no');
    expect(bareYesNo('yes please')).toBe('yes');
    expect(bareYesNo('no meat in the soup for my mother please')).toBeNull();
  });
});
