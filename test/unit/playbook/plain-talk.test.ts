import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';

const COME = 'Will you come to your appointment on Tuesday?';
const PAID = 'Have you already paid the invoice?';
const TOOK = 'Did you take your tablets this morning?';
const WHO = 'Am I speaking with Ada Lovelace?';
const TROUBLE = 'Did you have any problems with the delivery?';
const CANCEL = 'Would you like to cancel your booking?';
const RECORD = 'Do you mind if we record this call?';
const HAPPY = 'Were you happy with your visit?';

describe('a yes or no', () => {
  it.each([
    [COME, 'hmm let me see yeah tuesday works', 'yes'],
    [COME, 'let me see no', 'no'],
    [COME, 'let me think', null],
    [COME, 'yeah nah i can’t', 'no'],
    [COME, 'nah yeah i’ll be there', 'yes'],
    [COME, 'you can count on me', 'yes'],
    [COME, 'don’t count on me', 'no'],
    [COME, 'without fail', 'yes'],
    [COME, 'i reckon so', 'yes'],
    [COME, 'will do', 'yes'],
    [COME, 'works', 'yes'],
    [COME, 'very unlikely', null],
    [COME, 'i already have another appointment', null],
    [TROUBLE, 'spot on', 'no'],
    [TROUBLE, 'works', 'no'],
    [PAID, 'i already have', 'yes'],
    [CANCEL, 'no i’m not ill anymore', 'no'],
    [COME, 'i don’t see why i wouldn’t', 'yes'],
    [COME, 'i won’t be late', 'yes'],
    [COME, 'i can’t not come', null],
    [COME, 'i might be five minutes late but yes', 'yes'],
    [COME, 'i’m not sure but i think so', null],
    [COME, 'i’m not ill anymore so yes', 'yes'],
    [COME, 'please don’t hang up', null],
    [COME, 'no hablo inglés', null],
    [COME, 'no need to call again i’ll be there', 'yes'],
    [COME, 'you don’t need to call me every time i’ll be there', 'yes'],
    [COME, 'don’t you ever call me before noon', null],
    [COME, 'don’t stop calling me', null],
    [COME, 'i did not ask you to stop calling', null],
    [COME, 'i’d rather not come', 'no'],
    [COME, 'i feel free on tuesday', null],
    [CANCEL, 'yes please we’re all sick', 'yes'],
    [CANCEL, 'we have the flu', null],
    [CANCEL, 'i’m afraid so', 'yes'],
    [CANCEL, 'don’t you dare cancel it', null],
    [TROUBLE, 'it never arrived', null],
    [TROUBLE, 'they didn’t come', null],
    [TROUBLE, 'yes it was not delivered', 'yes'],
    [RECORD, 'i’d rather you didn’t', 'yes'],
    [RECORD, 'i’d rather not be recorded', 'yes'],
    [RECORD, 'i do mind actually', 'yes'],
    [RECORD, 'be my guest', 'no'],
    [RECORD, 'feel free', 'no'],
    [HAPPY, 'very', 'yes'],
    [HAPPY, 'very happy', 'yes'],
    [HAPPY, 'i was really very happy with it', 'yes'],
    [HAPPY, 'not very happy', 'no'],
    [HAPPY, 'my wife was happy', null],
    [TROUBLE, 'very happy', 'no'],
    [COME, 'i can hardly wait', 'yes'],
    [COME, 'i never said i wouldn’t come', null],
    [TOOK, 'i took them all', 'yes'],
    [HAPPY, 'extremely so', 'yes'],
    [HAPPY, 'couldn’t have been better', 'yes'],
    [HAPPY, 'far from it', 'no'],
    [HAPPY, 'it was great wasn’t it', 'yes'],
  ] as const)('%s — %s: %s', (asked, text, meaning) =>
    expect(readYesNo(wordsOf(text), {}, asked, 'Ada Lovelace')).toBe(meaning),
  );
});

describe('an answer in words of the question', () => {
  it.each([
    [PAID, 'i paid it last week', 'yes'],
    [PAID, 'we paid by card yesterday', 'yes'],
    [PAID, 'already done', 'yes'],
    [PAID, 'yes i have didn’t you get it', 'yes'],
    [PAID, 'i paid half of it', null],
    [PAID, 'i paid my sister', null],
    [PAID, 'i paid the other one', null],
    [TOOK, 'i took them at eight', 'yes'],
    [TOOK, 'i took two', null],
    [TOOK, 'oh i forgot', 'no'],
    [TOOK, 'i completely forgot about it', 'no'],
    [TOOK, 'i forgot the blue ones', null],
    [COME, 'i forgot', null],
    ['Did you receive our letter?', 'i received it on monday', 'yes'],
    ['Have you tried it?', 'we tried that twice', 'yes'],
  ] as const)('%s — %s: %s', (asked, text, meaning) =>
    expect(readYesNo(wordsOf(text), {}, asked)).toBe(meaning),
  );
});

describe('an answer for somebody else', () => {
  it.each([
    [WHO, 'she’s at work can i take a message', 'no'],
    [WHO, 'she’s on holiday', 'no'],
    [WHO, 'my mother passed away in june', 'no'],
    [WHO, 'ada died two years ago', 'no'],
    [WHO, 'you’ve got the wrong ada', 'no'],
    [WHO, 'you got her', 'yes'],
    [COME, 'my husband died last year', null],
    [COME, 'you must have the wrong ada', null],
  ] as const)('%s — %s: %s', (asked, text, meaning) =>
    expect(readYesNo(wordsOf(text), {}, asked, 'Ada Lovelace')).toBe(meaning),
  );
});
