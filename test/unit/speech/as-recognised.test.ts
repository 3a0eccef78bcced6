import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { readName } from '#playbook/values/read-name.js';

describe('what recognisers write without apostrophes, and as it sounds, is the same words', () => {
  it.each([
    ['i cant come', "I can't come"],
    ['i dont know', "I don't know"],
    ['we havent got it', "we haven't got it"],
    ['thats fine', "that's fine"],
    ['im late', "I'm late"],
    ['ive paid', "I've paid"],
    ['theyll come', "they'll come"],
    ['ill be there', "I'll be there"],
    ['i think ill pay', "I think I'll pay"],
    ['id rather not', "I'd rather not"],
    ['i dunno', "I don't know"],
    ["i'm gonna come", "I'm going to come"],
    ['y’all', 'you all'],
    ['stop callin us', 'stop calling us'],
    ['I, uh, can’t', "I can't"],
    ['umm hmm let me see', 'let me see'],
  ])('%s: %s', (recognised, meant) => expect(wordsOf(recognised)).toEqual(wordsOf(meant)));

  it.each([
    ["I'm ill", 'i am ill'],
    ['she is ill call me', 'she is ill call me'],
    ['uh huh', 'uh huh'],
    ['uh-uh', 'uh uh'],
    ['mm hmm', 'mm hmm'],
    ['we were well', 'we were well'],
    ['can I have it on Wed', 'can i have it on wed'],
  ])('but not where they are others: %s', (text, words) => expect(wordsOf(text).join(' ')).toBe(words));
});

describe('answers as they are recognised', () => {
  it.each([
    ['i wont be able to make it that day', 'no'],
    ['i dont think ill make it', 'no'],
    ['yes im coming', 'yes'],
    ['i uh cant um make it', 'no'],
    ['havent yet', 'no'],
  ] as const)('%s: %s', (text, meaning) =>
    expect(readYesNo(wordsOf(text), {}, 'Will you come?')).toBe(meaning),
  );

  it.each([
    ['im john', 'John'],
    ['its sarah', 'Sarah'],
    ['jony ive', 'Jony Ive'],
    ['my name is uh maria', 'Maria'],
  ])('of a name: %s is %s', (text, name) => expect(readName(text)).toBe(name));

  it.each([
    'dont call me again',
    "don't uh call me again",
    'please um dont ever call here again',
    'i dont wanna be called anymore',
    "I don't wanna get any more calls from you",
    'quit callin me',
    'yall need to stop calling me',
    'id rather you didnt call anymore',
  ])('no more calls: %s', (text) => expect(isOptOut(text)).toBe(true));

  it.each(['dont call me before nine', 'i dont wanna come', 'dont hang up', 'why dont you call me tomorrow'])(
    'but not: %s',
    (text) => expect(isOptOut(text)).toBe(false),
  );
});
