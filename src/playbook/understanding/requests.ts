import { isCallBackRequested } from '#playbook/contact-preferences/call-back-request.js';
import { hasOnlyFillersBeside, hasOnlyTimeBeside, beginsWithRequest } from './free-speech.js';
import { isOptOutIn } from '#playbook/contact-preferences/opt-out.js';
import { isHandingOver } from '#playbook/answers/third-parties.js';
import { meansThisCall, type NumberAsked } from './wrong-number.js';
import { phraseTable } from '#language/phrases.js';
import type { Language } from '#language/languages/language.js';
import { wordsOf } from '#language/words.js';

/*
 * Requests that callers make in place of an answer, in English: they end the call ("call me tomorrow", "goodbye") or
 * ask for something ("who is this?"). `interpret` looks for them before it reads an answer, and `questionFaults` in the
 * phrases of a playbook, which must not sound like one.
 */

/** Why a caller ends the call. */
export type LeaveReason = 'goodbye' | 'later' | 'do_not_call' | 'wrong_number';

/** A request of a caller in place of an answer. */
export type CallerRequest =
  /** The question again. */
  | 'repeat'
  /** Who is calling, or why. */
  | 'who'
  /** Time to think. */
  | 'hold'
  /** A person. */
  | 'person';

/** Every beginning with every ending: "call me, ring me" and "back, on" make four phrases, separated by commas. */
function pairsOf(beginnings: string, endings: string): string {
  const pairs = beginnings
    .split(', ')
    .flatMap((beginning) => endings.split(', ').map((ending) => `${beginning} ${ending}`));
  return pairs.join(', ');
}

/** Times that make "call" without "me" a request: "call on Monday". */
const DAY_OF_CALL =
  'tomorrow, after lunch, on monday, on tuesday, on wednesday, on thursday, on friday, on saturday, on sunday';
/** Phrases that ask for another call. */
const LATER_CALLS = [
  pairsOf(
    'call me, ring me, phone me, call us, ring us, phone us, give me a call, give me a ring, give me a bell, give us a call, give us a ring, give us a bell, give me a call back, try me, buzz me',
    'later, back, within, an hour, one hour, two hours, half an hour, ten minutes, twenty minutes, thirty minutes, another time, some other time, tomorrow, today, tonight, again, next, this, after, around, in, on, at, ' +
      'then, when, anytime, any time, some other day, another day, first thing, monday, tuesday, wednesday, thursday, friday, saturday, sunday',
  ),
  pairsOf('call, ring, phone', `back, back later, again later, later, ${DAY_OF_CALL}`),
  pairsOf('try, try again', `later, in, ${DAY_OF_CALL}`),
].join(', ');

/** Phrases by which callers end a call. `null` marks longer phrases that contain such a phrase. */
const leavePhrases = phraseTable<LeaveReason | null>([
  [
    'goodbye',
    'goodbye, good bye, bye, bye bye, i have to go, i got to go, gotta go, i must go, i need to go, i have got to go, i better go, i should go, i must dash, got to run, have to run, must be off, hang up, ' +
      'hanging up, end the call, end this call',
  ],
  [
    'wrong_number',
    'wrong number, wrong person, wrong man, wrong woman, wrong lady, wrong guy, wrong house, nobody here by that name, ' +
      'no one here by that name, nobody by that name, no one by that name, not live here, no longer lives here, ' +
      'no longer live here',
  ],
  [
    'later',
    `${LATER_CALLS}, call again tomorrow, try me later, ` +
      "i'm driving, i'm in a meeting, i'm at work, can't talk, can't speak, can't really talk, can't really speak, not able to talk, unable to talk",
  ],
  [
    null,
    "don't hang up, not hang up, not the wrong number, not wrong number, can't talk long, can't talk for long, can't speak long, can't speak for long, can't talk to, can't talk about, can't talk before, can't really talk to, can't really talk about, not able to talk to, not able to talk about, unable to talk to, unable to talk about",
  ],
]);

/** Phrases by which callers ask for something in place of an answer. */
const requestPhrases = phraseTable<CallerRequest>([
  [
    'repeat',
    'pardon, pardon me, what was that, what did you say, say that again, say it again, say again, repeat, ' +
      "come again, excuse me, can't hear, couldn't hear, didn't hear, didn't catch, didn't get that, " +
      "don't understand, didn't understand, don't hear, don't get that, can you hear me, speak up, " +
      'are you there, you are breaking up, speak louder, talk louder, louder please, speak slower, speak more slowly, ' +
      'slower please, say that slower, you are too fast, you talk too fast, you speak too fast, what was the question, ' +
      'what is the question, what do you mean, say what, i missed that, missed what you said, cutting out, slow down, anybody there, anyone there',
  ],
  [
    'who',
    'who is this, who are you, who is calling, who is speaking, who is there, who am i speaking, ' +
      'who am i talking, who do i have, what company, where are you calling from, where are you from, ' +
      'what is this about, what is it about, what is this regarding, what is this concerning, what is it regarding, what is this in regard to, ' +
      'what is this in reference to, why are you calling, what do you want, is this a robot, ' +
      'are you a robot, are you a machine, are you a computer, are you a person, are you a real person, are you a real human, is this a real person, am i talking to a real person, am i speaking to a real person, ' +
      'are you human, are you real, ' +
      'is this a machine, is this a recording, are you a bot, are you an ai, are you ai, is this ai, is this an ai, ' +
      'talking to a robot, talking to a machine, talking to a computer, speaking to a robot, speaking to a machine, ' +
      'who is asking, who wants to know, what is your name, where did you get my number, how did you get my number, ' +
      'who gave you my number, is this a scam',
  ],
  [
    'hold',
    'hold on, hang on, one moment, one second, one minute, just a moment, just a second, just a minute, ' +
      'wait a moment, wait a second, wait a minute, give me a moment, give me a second, give me a minute, ' +
      'please hold, hold the line, stay on the line, one sec, just a sec, give me a sec, just a tick, bear with me, ' +
      'let me find, let me grab, let me get a pen, let me look at my calendar, let me look at my diary, ' +
      'let me check my calendar, let me check my diary, let me check the calendar, let me check the diary',
  ],
  [
    'person',
    'speak to a person, talk to a person, speak with a person, talk with a person, speak to a human, talk to a human, ' +
      'speak with a human, talk with a human, speak to someone, talk to someone, speak with someone, talk with someone, ' +
      'speak to somebody, talk to somebody, real person, a human being, speak to an agent, talk to an agent, ' +
      'speak with an agent, talk with an agent, speak to an operator, talk to an operator, speak with an operator, ' +
      'talk with an operator, operator, representative, human please, transfer me, put me through, connect me, ' +
      'speak to the manager, talk to the manager, speak with the manager, talk with the manager, speak to your manager, talk to your manager, speak to a manager, talk to a manager, ' +
      'speak to your supervisor, talk to your supervisor, speak to a supervisor, talk to a supervisor, someone who can help, somebody who can help',
  ],
]);

/** Greetings of a person who has not heard the question, so that it is asked again. */
const GREETING =
  /^(?:(?:hello|hi|hey|hallo|good (?:morning|afternoon|evening|day)|there|yes hello|what|sorry|huh|eh) ?)+$/;
/** The question of a call-screening service who is calling; it may occur in an utterance of any length. */
const SCREENING =
  /\bscreening service\b|(?<!\byou )\b(?:say|state|record) your name\b|(?<!\b(?:my|the) )\breason for calling\b|\breason for your call\b/;
/** Commands of callers who take the agent for a phone menu and want a person. */
const PERSON_WANTED =
  /^(?:(?:please|no|just|get me) )*(?:(?:an? |the )?(?:live |human |real )?(?:agent|human|supervisor)|(?:an? )?(?:live|human|real) person)(?: please)*$/;
/** A longer utterance is no request, although it contains a phrase of {@link requestPhrases}. */
const LONGEST_REQUEST_WORDS = 12;

/** Words after "I have to go" that may make it a plan: "to work on Monday". Without a time, "to work" is a goodbye. */
const ELSEWHERE =
  /^(?:to|into|back|home|out|over|away|abroad|there|through|with|in|for|first|and|see|get|pick|somewhere|soon|shortly|at|by|before)\b/;
/** Words for a time, which make "I have to go …" a plan. */
const ANOTHER_TIME =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|today|tonight|mornings?|afternoons?|evenings?|weeks?|weekends?|next|every|then|that|before|after|first|so|until|later|day|soon|shortly|(?:at|by|before) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half|quarter))\b/;
/** More words than these after "I have to go" make it a plan even without a time, if they begin with `ELSEWHERE`. */
const LONGEST_WAY_WORDS = 5;
/** Words before "I have to go" that make it no goodbye: "where do I have to go?" */
const NOT_GOING = new Set(['do', 'if', 'when', 'where', 'would', 'will', 'unless', 'whether']);

/** True if a phrase of goodbye is one: "I have to go", unlike "I have to go to work on Monday". */
function isGoodbye(words: readonly string[], { start, end }: { start: number; end: number }): boolean {
  if (words[end - 1] !== 'go') return true;
  const rest = words.slice(end);
  if (NOT_GOING.has(words[start - 1] ?? '')) return false;
  if (!ELSEWHERE.test(rest.join(' '))) return true;
  return rest.length <= LONGEST_WAY_WORDS && !ANOTHER_TIME.test(rest.join(' '));
}

/** Words after a reason to leave that say the caller stays: "I'm driving, [but go ahead]". */
const WILLING_TO_TALK =
  /^(?:\w+ ){0,5}(?:but|so|and) (?:(?:\w+ ){0,6})(?:go ahead|go on|carry on|fire away|make it (?:quick|short|brief)|be (?:quick|brief)|(?:i|we) can (?:talk|speak)|yes|hands free|on speaker|it is (?:ok|okay|fine|grand)|(?:i|we) will (?:be there|come|make it))(?![^ ])/;

/**
 * The first phrase by which the caller ends the call, and its place in words; undefined if there is none. An opt-out
 * counts anywhere. In free speech, a request for another call counts only with a time and without other content, any
 * other phrase only without a message beside it; a "bye" also at the end of a message.
 * @param options.namesCallBackTime tells whether the utterance names a time for another call; asked only if needed
 * @param options.asked the open question, which may be about a number ("that is the wrong number")
 */
export function leaveRequestIn(
  words: readonly string[],
  options: { isFreeSpeech: boolean; namesCallBackTime?: () => boolean; asked?: NumberAsked | null },
): { meaning: LeaveReason; start: number; end: number } | undefined {
  // An opt-out counts anywhere in a sentence.
  if (isOptOutIn(words)) return { meaning: 'do_not_call', start: 0, end: words.length };
  const found = leavePhrases
    .find(words)
    .flatMap(({ meaning, ...place }) => (meaning === null ? [] : [{ meaning, ...place }]));
  const lastContentWord = words.findLastIndex((word) => !hasOnlyFillersBeside([word], []));
  // Free speech without a message.
  const isAlone = options.isFreeSpeech && hasOnlyFillersBeside(words, found);
  return found.find(({ meaning, ...place }) => {
    const said = words.slice(place.start, place.end);
    if (meaning === 'later' && WILLING_TO_TALK.test(words.slice(place.end).join(' '))) return false;
    if (meaning === 'later' && !isCallBackRequested(words.slice(0, place.start), said)) return false;
    if (meaning === 'later')
      return (
        !options.isFreeSpeech || (hasOnlyTimeBeside(words, found) && options.namesCallBackTime?.() === true)
      );
    if (meaning === 'wrong_number' && !meansThisCall(words, place, options.asked ?? null)) return false;
    if (meaning === 'goodbye' && !isGoodbye(words, place)) return false;
    if (!options.isFreeSpeech || isAlone) return true;
    // In a message, only a "bye" after all of its content ends the call.
    return said.at(-1) === 'bye' || said.at(-1) === 'goodbye' ? place.end > lastContentWord : false;
  });
}

/**
 * True if the caller wants no more calls, whatever the question was. Used for words outside of a turn, such as those
 * over the agent's speech.
 * @param language the language of the call; null for English
 */
export function isOptOut(text: string, language: Language | null = null): boolean {
  if (language?.forbidsCalls(text)) return true;
  return (language === null || language.code === 'en') && isOptOutIn(wordsOf(text));
}

/** An utterance of only "wait" or "stop". Within a longer utterance these words have another meaning. */
const PAUSE = /^(?:(?:oh|no|please|wait|stop) )*(?:wait|stop)(?: please)?$/;

/** True if the caller only asks the agent to pause: "wait, wait", "no, wait", "stop". */
export function isPauseRequest(words: readonly string[]): boolean {
  return PAUSE.test(words.join(' '));
}

/** Phrases before an answer that have no meaning there: "one second … Tuesday", "excuse me, Tuesday". */
const BEFORE_AN_ANSWER =
  /^(?:(?:just|please|oh|sorry|wait|and) )*(?:excuse me|pardon me|hold on|hang on|(?:give me )?(?:one|a) (?:moment|second|sec|minute))(?: please)? (?!let me|i |while|until|can|could|what|who|why)/;

/** A wrong answer and a request to wait before the right answer: "seven, no, hang on, eight". */
const BETWEEN_ANSWERS =
  /^(?:[^ ]+ ){1,6}?(?:(?:no|oh|wait|sorry|actually) )+(?:hold on|hang on|(?:one|a) (?:moment|second|sec|minute)) (?!let me|i |while|until|can|could|what|who|why)/;

/** The words after a request to wait, if the caller goes on at once; else null. */
export function wordsAfterHold(words: readonly string[]): string | null {
  const said = words.join(' ');
  const rest = said
    .replace(BEFORE_AN_ANSWER, '')
    .replace(BETWEEN_ANSWERS, '')
    .replace(/^please ?/, '');
  return rest === said || rest === '' ? null : rest;
}

/**
 * The request in an utterance; null without one. In free speech a phrase within a longer message does not count, unless
 * the message begins with it and only explains it.
 */
export function requestIn(
  words: readonly string[],
  options: { isFreeSpeech: boolean },
): CallerRequest | null {
  const text = words.join(' ');
  if (GREETING.test(text)) return 'repeat';
  if (SCREENING.test(text)) return 'who';
  if (PERSON_WANTED.test(text)) return 'person';
  if (words.length > LONGEST_REQUEST_WORDS) return null;
  // "I'll get her": another person comes to the phone.
  if (!options.isFreeSpeech && isHandingOver(words)) return 'hold';
  const found = requestPhrases.find(words);
  const isMeant = !options.isFreeSpeech || hasOnlyFillersBeside(words, found);
  return found.find((place) => isMeant || beginsWithRequest(words, place, place.meaning))?.meaning ?? null;
}
