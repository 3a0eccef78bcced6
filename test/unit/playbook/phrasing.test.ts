import { describe, expect, it } from 'vitest';
import { matches, phrasingCompiler, toMatchText } from '#language/phrasing.js';

import { isOptOut } from '#playbook/understanding/requests.js';
import { leastProcessorMs } from '#test/support/processor-time.js';

const says = phrasingCompiler({ ring: 'call|ring up', me: '(me|us) [please]' });
const saidIn = (way: string, said: string) => matches(says(way), toMatchText(said.split(' ')));

describe('a way of saying something', () => {
  it.each([
    ['do not <ring> <me>', 'so do not ring up us please'],
    ['do not [ever] call', 'do not call'],
    ['(please|just)* stop', 'just please stop'],
    ['call _ back', 'call him back'],
    ['at #', 'at 10pm'],
    ['my _s ring', 'my sons ring'],
    ['calls? !(back)', 'call me'],
    ['call &(me) me', 'call me'],
    ['^ never', 'never again'],
    ['not to $', 'i said not to'],
    ['(^|please) go', 'go'],
  ])('%s is said in: %s', (way, said) => expect(saidIn(way, said)).toBe(true));

  it.each([
    ['do not <ring>', 'do not ring me'],
    ['call me', 'recall me'],
    ['call me', 'call men'],
    ['call _ back', 'call back'],
    ['at #', 'at ten'],
    ['my _s ring', 'my son ring'],
    ['calls? !(back)', 'call back'],
    ['call &(me)', 'call him'],
    ['^ never', 'i never'],
    ['not to $', 'not to worry'],
  ])('%s is not said in: %s', (way, said) => expect(saidIn(way, said)).toBe(false));

  it('may be one of several', () => {
    const ways = says('hello', 'good day');
    expect(
      ['hello you', 'good day', 'good'].map((said) => matches(ways, toMatchText(said.split(' ')))),
    ).toEqual([true, true, false]);
  });

  it('names no class of words that there is not', () => {
    expect(() => says('<nobody>')).toThrow('there is no class of words <nobody>');
  });
});

describe('what is said at great length', () => {
  /** The words that the rules know, over and over: the worst that could be said to them. */
  const WORDS = [
    'ever even please keep you try to be',
    'stop no more any all of these your sales phone calls',
    'i do not never want like need to be',
    'take my the your that call phone list',
    'if you call me again or text',
  ];

  it.each(WORDS)('is read in no more time than its length takes: %s', async (words) => {
    const text = `${`${words} `.repeat(300)}x`;
    expect(await leastProcessorMs(() => isOptOut(text))).toBeLessThan(500);
  });

  it('is read within a fraction of a millisecond where it is a sentence', async () => {
    const text = "well i would rather that you did not try to call me at my mother's house on mondays";
    for (let warm = 0; warm < 200; warm += 1) isOptOut(text);
    expect(await leastProcessorMs(() => isOptOut(text))).toBeLessThan(1);
  });
});
