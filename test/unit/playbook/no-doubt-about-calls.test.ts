import { describe, expect, it } from 'vitest';
import type { Playbook } from '#playbook/book/playbook.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const OPTIONS = ['morning', 'afternoon'].map((value) => ({ value, phrases: [value] }));

/** Whether a caller who says that is asked whether no more calls are wanted. */
async function isAsked(text: string, expect: PlaybookExpectation): Promise<boolean> {
  const playbook: Playbook = {
    start: 'first',
    steps: {
      first: { kind: 'ask', text: 'Will you come?', expect, next: 'bye', otherwise: 'bye' },
      bye: { kind: 'end', text: 'Bye.' },
    },
  };
  const session = createPlaybooks().open(briefOf({ playbook }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  const thoughts = await thoughtsOf(
    session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
  );
  return thoughts.some((thought) => thought.kind === 'say' && thought.text.includes('stop calling'));
}

describe('nobody is asked whether they want no more calls who says', () => {
  it.each([
    'no, call me on my mobile number instead',
    "no, I'll call you when I know more",
    'no, the number you have is my old one',
    "yes, and you don't need to call me about it again before Friday",
    'no, not on Friday, I have a phone call with my boss then',
    "no, I can't, I'm on another call",
    "can't talk now, call me later",
    "don't call before nine",
    'no, I called your office yesterday and cancelled',
    'no, I did not get your last call',
    "yes, but please don't call my work number, use this one",
    "no, that's not my phone number",
    'no, nobody called me about that',
    "no, I haven't had enough time, ring me tomorrow",
    "sorry, I couldn't hear you, stop the music please, who is calling",
    "no, I'm not on the phone much these days",
    'no, nobody has called me yet',
    'no, I have to take another call',
    "no, I haven't got the number of the clinic",
    'no, that was my old number, I never use it',
    "no, we don't have a contact there",
    "no, I'm not on the list yet",
    "no, I couldn't get through when I called",
    "no, don't send a letter, a phone call is fine",
    "I can't say, my wife keeps the calendar, ring her",
    'no, I stopped working there, they call my colleague now',
    "no, don't ring the bell, the baby is asleep",
    "no, I didn't leave my number",
    'not sure, give me a call when the doctor is in',
    'no, I never answer calls at work',
    'no, my phone is nearly dead',
    "no, there's no one here by the name on your list",
    "no, I don't know who to contact",
    'sorry, stop, what number did you say',
    'no, remove the second appointment, I only need one',
    "no, my phone battery is low and I can't hear you",
    'no, I never call before I come',
    "no, I'm still waiting for a call from the surgery",
    'no, I gave you the wrong number last time',
    'no, my name is not on that list I think',
    "I'm not sure, call my daughter, she knows",
    "no, I don't use that phone anymore, it's broken",
    'no, they told me on the phone that I need not come',
    'no, I was going to ring you and cancel',
    "no, nobody is home, that's why I didn't answer your call",
    "no, I'm not calling it off, I'm just late",
    'maybe, I never know until the school calls',
    "no, don't phone my husband, he's at work",
    'no, I have no contact with them any more',
    'not on Monday, we have a conference call',
    'no, we stopped taking the tablets when the doctor called',
    "there's no number on the door, ring twice",
    "no, I lost my phone, this is my sister's",
    "no, no, I said don't stop, go on please",
    "no, I've got no signal, the phone keeps cutting out",
    'no, I would have called but my phone died',
    "no, I'm not the one who called",
    "no, please don't tell my wife about the call",
    "not yet, I'm waiting for them to call me back",
    'no, you already called about that yesterday',
    "no, I can't until my son calls",
    "no, that's my husband's phone",
    'no, I never give that number to anyone',
    "no, it's a different list",
    "no, there's a mistake in your records",
    'no, I moved, please update your records',
    "sorry I didn't hear, the phone is bad",
    "no, I don't need a lift, I'll ring a taxi",
    "I don't know, the surgery never called me with the results",
    'no, we have enough, tell the driver to ring next week',
    'no, the doctor said to stop the tablets and phone if it hurts',
    "no, I'm on holiday, the phone costs a fortune here",
    'no, I forgot to call and cancel',
    'no, my phone number is still the same',
    'no, I missed the call from the clinic',
    'no, please call my son about it',
    "no, I'd rather talk to somebody, this is a bad line",
    "I haven't decided, can I call you",
    'no, not unless the doctor rings me first',
    "no, I don't have a phone at work",
    "no, you're not on my list of contacts, who is this",
    "no, I can't stop long, I'm on the other line",
    'not at the moment, my phone is on charge',
    "no, that's enough for now, thank you",
    'no, I never got the letter, only the call',
    'no, take that off my order',
    'no, I do not want the blue one, I told you on the phone',
    'I would but nobody told me which number to ring',
    "no, he doesn't live at this number anymore",
    "no, we don't need the phone line, just internet",
    'no, I was on the phone to the pharmacy',
    'no, call me Liz, everybody does',
    "no, I don't think I have your number",
    'no, there was no answer when I rang',
    "no, I never said I'd call",
    "no, let's end it here, I have to pick up the phone in the kitchen",
    "no, I'm out of the house, the landline won't work",
    "no, I can't talk loud, people around me are on the phone",
    "no, I stopped at the shop, I'll ring my wife",
    "hmm I'm not the person who makes the calls here",
    'no, please remove the reminder for Tuesday, Friday is right',
    'no, the calls to my landline cost extra so I use the mobile',
    'no, it was not me who left the message on your phone',
    'no, I take my calls in the evening',
    "no, I've changed my number since",
    'I have no car, phone the taxi people',
    'no, we ended up with another number in the draw',
    "no, I'll be at my daughter's, ring there",
    "no, I can't hear a thing, this phone is useless",
    "no, I have the doctor's number, I'll sort it out",
    'no, we were cut off on the last call',
    "I don't think so, my husband has the list",
    "no, I didn't call for that",
    "no, wrong list, I'm in the other group",
    'no, somebody from your office phoned and moved it',
    'no, no, the call is fine, I mean the appointment',
    'hard to say without my phone',
    "no, I've nobody to call for a lift",
    "no, she's the contact, not me",
    "no, I won't need the phone consultation",
    "no, you're the third person to call about it and I said Friday",
    'no, my records are with the other practice',
    "no, I couldn't, they never rang back",
    "no, cancel it, I'll ring for another one",
    "don't call me until Monday",
    "don't call back today, call tomorrow",
    'never call me at work',
    'my sons never call me',
    "I don't need you to call me back",
    'stop',
    'wait, stop',
    'take me off hold',
  ])('to a question for yes or no: %s', async (text) => {
    expect(await isAsked(text, { kind: 'yes_no' })).toBe(false);
  });

  it.each([
    'no, the number ends in five',
    "I don't have my number to hand, call me back in an hour",
    "it's not a mobile number, it's 030 1234567",
    "I don't give out my number",
    'I have no phone number',
    "I've forgotten my number, it's a new phone",
    "my number, no, take my wife's",
    "hang on, I never call myself, it's somewhere on the phone",
    "I don't know it, it should be in your records",
    "no, don't use that one, it's disconnected",
    "I don't want to give you my number",
    "you don't have my number already?",
    "I don't know it by heart, never call myself",
    "no, I'd rather not say my number",
    'why do you need my number',
    "no I won't, you have my number on your records",
    "it is on the list, don't you see it",
    'no, that one is my fax number',
    "not the landline, it's been cut off",
  ])('to a question for a phone number: %s', async (text) => {
    expect(await isAsked(text, { kind: 'phone_number' })).toBe(false);
  });

  it.each([
    'no, the number is seven',
    'no more than the number I gave last time',
    "I don't remember the number",
    "no idea how many, I'd have to ring home",
    'not many, the number of guests is small',
    'none, remove them from the list',
    "I can't count, someone else is calling",
    "no, that isn't the number I meant",
    "I've lost count, no idea",
    "there's no number on it",
    "it doesn't say a number",
    'no, not that number',
    "the number isn't on the letter",
    "I can't read the number",
    'stop, three',
  ])('to a question for a number: %s', async (text) => {
    expect(await isAsked(text, { kind: 'number' })).toBe(false);
  });

  it.each([
    'the phone does not ring anymore and the contact list is gone',
    'the boiler stopped and nobody called about it',
    'please take the old number off my contract and use the new one',
  ])('to a question for anything: %s', async (text) => {
    expect(await isAsked(text, { kind: 'anything' })).toBe(false);
  });

  it.each([
    'not before I get a call from my boss',
    "I don't have my calendar, the phone is on top of it",
    "no idea, I'd have to call my husband",
    "I'm tired, the phone has been ringing all day, say that again",
    'hmm, I never remember, my phone has it, wait',
    "I can't see the calendar while I'm on the phone",
    'no day this week, the removal men come, call it next month',
    "whenever there's no one else on your list",
    "I've no calendar here, I'm on the road with my phone",
    "never on a Monday, that's when the lines are busy",
    'not sure, my number in the queue was nine',
    "I can't find it, give me a second, the phone slipped",
    'no, the list says something else',
    "none of those days, I'm on call at the hospital",
    "I'm not sure, I lost the list",
    'no day is good, I get so many work calls',
    'nothing in my phone says so',
    "I don't know, the school hasn't phoned",
    "never mind the date, I'll call",
    "none, I'm never off the phone that week",
    'no calls before nine please',
    'stop, let me get a pen',
  ])('to a question for a day: %s', async (text) => {
    expect(await isAsked(text, { kind: 'date' })).toBe(false);
  });

  it.each([
    "no, that's not my name on the list",
    "no, you don't have my name right",
    'no, not that name',
    "no, it's not spelled like the phone company",
    "there's no name on my list like that",
    'no, the name in your system is spelled wrong',
    "I don't want to be called Bob",
  ])('to a question for a name: %s', async (text) => {
    expect(await isAsked(text, { kind: 'name' })).toBe(false);
  });

  it.each([
    "not while I'm on the phone with work",
    'no time after I finish the phone calls at work',
    "I'm never near the phone before five",
    'not sure, the bus stops at nine and then I call',
    'not in the mornings, I take calls then',
    'never early, my phone is off',
    'no time suits, the calls at work never end',
    "I don't mind, just ring first",
  ])('to a question for a time: %s', async (text) => {
    expect(await isAsked(text, { kind: 'time' })).toBe(false);
  });

  it.each([
    'neither, I never answer the phone',
    "I don't want either, remove both",
    'none, and the line is terrible',
    'I never mind either way, my phone tells me',
    'no difference, ring and see',
    'no idea, what do other callers say',
    "neither of them, I'd have to call you",
  ])('to a question for a choice: %s', async (text) => {
    expect(await isAsked(text, { kind: 'choice', options: OPTIONS })).toBe(false);
  });
});
