import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { PHRASE_RULES } from '#providers/builtin/pocketsphinx/grammar/phrases.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { sentencesOf } from '#test/support/jsgf-sentences.js';

const UTTERANCES: Record<'yes' | 'no' | 'unclear', readonly string[]> = {
  yes: [
    'Yes.',
    'yeah',
    'yep',
    'uh-huh',
    'mm-hmm',
    'Sure.',
    'Of course!',
    'okay',
    'All right then.',
    'yes please',
    'please do',
    'That works for me.',
    'That’s fine.',
    'sounds good',
    'No problem.',
    "That's not a problem.",
    'no worries',
    'Why not?',
    "I don't see why not",
    "I don't mind",
    "I can't wait",
    "I wouldn't miss it",
    "Don't worry, I'll be there.",
    "I'm not busy",
    "It's not a bad time",
    'I will',
    'I do, thank you',
    'yes I will be there',
    'yes this is a good time',
    'I can make it',
    'I think so',
    'go ahead',
    'No, no, go ahead.',
    "I'm a bit busy, but go ahead",
    'right now is fine',
    'I have a minute',
    'no, yeah',
    'No, wait, yes.',
    'see you tomorrow',
    'absolutely',
    'by all means',
    'I would love to',
    'no doubt about it',
    'it is',
    'please',
    "That's me.",
    'I would love to, thanks',
    'yes I did',
    "that won't be a problem",
    "i don't have a problem with that",
    "i don't see a problem with it",
    "couldn't agree more",
    'that could not suit me better',
    'nothing would please me more',
    'no problem at all',
    'no that is not a problem',
    'no no problem',
    "no i don't mind at all",
    "don't mind if i do",
    'no trouble at all',
    "that's no bother",
    'that should not be an issue',
    "i've nothing against it",
    "i wouldn't say no",
    'it does not bother me',
    "that's not inconvenient",
    "wouldn't hurt",
    "i wouldn't want to miss it",
    'yeah why not',
    'i should think so',
    "i don't think that will be a problem",
    "i don't think there's any issue with that",
    'i might as well',
    'with pleasure',
    'i think i can',
    'of course i can',
  ],
  no: [
    'No.',
    'nope',
    'nah',
    'uh uh',
    'no thanks',
    'No, thank you.',
    'not really',
    'Not right now.',
    "I can't right now",
    "No, I can't.",
    'no I can not come',
    "I won't be there",
    "I won't make it",
    "I don't think so",
    "I don't think I can make it",
    "I'm afraid not",
    "I'd rather not",
    'of course not',
    'Absolutely not!',
    'not at all',
    "that doesn't work for me",
    "it isn't a very good time",
    "I'm busy",
    'bad time',
    'I have no time',
    "I don't have time",
    'not interested',
    'Unfortunately I have to work.',
    "Okay, but I can't.",
    "No, that's fine.",
    'yeah, no',
    'Yes, sorry, I mean no.',
    'never',
    "please don't",
    'no not at all',
    "i can't no problem",
    'no i have a problem with that',
    "it's not that i mind but no",
    "i won't bother",
    "i can't be bothered",
    "i don't think that is a good idea",
    "i don't think it will work",
    'no i did not miss it',
    'i wish i could',
    "i don't see why i should",
    "i shouldn't think so",
    'not a chance',
    "that's inconvenient",
  ],
  unclear: [
    '',
    'hmm',
    'thank you',
    'good morning',
    'maybe',
    'perhaps',
    "I don't know",
    "I'm not sure",
    "I'm not sure I can come",
    'it depends',
    'let me check',
    "we'll see",
    'yes and no',
    "Yes, but I can't come.",
    'Are you sure?',
    'what time is it',
    'my dog ate it',
    'I will be late',
    'please cancel my appointment',
    "I'd like to reschedule",
    'I want to think about it',
    "I don't want to cancel",
    'can I speak to a person please',
    "I'm in a meeting",
    'call me later',
    'maybe i will',
    "i don't know if i can",
    'i might',
    'i might be able to',
    'perhaps i can',
    "i'm not quite sure",
    "i'm not a hundred percent sure",
    "i'm not sure that i do",
    "i don't really know",
    "i haven't decided yet",
    'i doubt that i will',
    'i wonder if i can',
    'i hope i can',
    "i'll try",
    "i'll have to see if i can",
    "i'd have to ask my wife if i can",
    'only if i can',
    "it's possible that i will",
    "we'll see if we can",
    'probably i will',
    "i can't promise i will",
    "i don't know whether it is",
    "no problem but i can't come",
    'not to worry',
    'that would be a problem',
  ],
};

describe('reading yes and no', () => {
  for (const [meaning, utterances] of Object.entries(UTTERANCES)) {
    it.each(utterances)(`${meaning}: %s`, (text) => {
      expect(readYesNo(wordsOf(text)) ?? 'unclear').toBe(meaning);
    });
  }
});

describe('an answer to a question that asks for trouble', () => {
  it.each([
    ['Did you have any trouble finding us?', "no i didn't have any trouble", 'no'],
    ['Did you have any problems with it?', 'no problems at all', 'no'],
    ['Thank you. Do you mind if we record this?', "i don't mind", 'no'],
    ['Would that be an issue?', 'that would not be an issue', 'no'],
    ['Is that a problem?', 'not at all', 'no'],
    ['Is that a problem?', 'yes it is', 'yes'],
    ['Is that a problem?', 'i am not sure', null],
    ['No problem. Will you come?', 'no problem', 'yes'],
    ['Will you come?', "that won't be an issue", 'yes'],
  ])('%s — %s', (asked, said, meaning) => {
    expect(readYesNo(wordsOf(said), {}, asked)).toBe(meaning);
  });
});

describe('phrases of one question', () => {
  const own = { yes: ['I am in'], no: ['cancel', 'call it off'] };

  it.each([
    ['Please cancel it.', 'no'],
    ["I'm in!", 'yes'],
    ['yes', 'yes'],
    ['No, thanks.', 'no'],
    ["Don't cancel it!", null],
    ["I'm in, no, cancel it", null],
  ])('%s → %s', (text, meaning) => {
    expect(readYesNo(wordsOf(text), own)).toBe(meaning);
  });
});

/** Whatever the built-in recogniser can hear as an answer is read, and never as its opposite. */
describe('reading what the recogniser hears', () => {
  const heard = (rules: readonly string[]) =>
    rules.flatMap((rule) => sentencesOf(PHRASE_RULES[rule]!, PHRASE_RULES));
  const readings = (rules: readonly string[]) => heard(rules).map((said) => ({ said, read: read(said) }));
  const read = (said: string) => readYesNo(wordsOf(said));

  it('finds the yes in every way of saying it', () => {
    const all = readings(['yes_word', 'yes_sentence']);
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter((reading) => reading.read === 'no')).toEqual([]);
    expect(all.filter((reading) => reading.read === 'yes').length / all.length).toBeGreaterThan(0.97);
  });

  it('never takes a no for a yes', () => {
    const all = readings(['no_word', 'no_sentence']);
    expect(all.length).toBeGreaterThan(500);
    expect(all.filter((reading) => reading.read === 'yes')).toEqual([]);
    expect(all.filter((reading) => reading.read === 'no').length / all.length).toBeGreaterThan(0.8);
  });

  it('never takes for a yes what is no answer', () => {
    expect(readings(['aside']).filter((reading) => reading.read === 'yes')).toEqual([]);
  });
});
