import type { WordSpan } from '#language/ruled-out.js';
import { wordsOf } from '#language/words.js';

/*
 * In free speech ("What shall I pass on?") a request within a longer message is part of the message: "tell him to call
 * me". These functions distinguish a mere request from a message. English only.
 */

/** Words without content: a request with only these words around it is a mere request. */
const FILLERS = new Set(
  wordsOf(
    'i you it he she we they me my your us is am are was were be been do does did have has had got get can could would will ' +
      'may might must need want like going the a an this that there here what who how why to of on for with or and but so if ' +
      'at in up not no yes yeah oh ok okay well um uh er erm hm hi hello hey sorry please thank thanks cheers just now then ' +
      'again once more one time time moment second sec minute bit really very quite properly right sure maybe think know ' +
      'afraid guess believe speak talk hear understand say said saying hang question last line bad breaking good much all ' +
      'sir madam mate love dear let someone anyone wait goodbye bye see soon later take care lovely have nice day call number name',
  ),
);
/** Words for the time of another call, or for the reason why it must be later ("busy", "driving"). */
const TIME_WORDS = new Set(
  wordsOf(
    'monday tuesday wednesday thursday friday saturday sunday weekend week month today tomorrow tonight morning afternoon ' +
      'evening night noon midnight lunch lunchtime next after before around about by from past half quarter couple few hour ' +
      "hours minutes days weeks o'clock oclock am pm m p one two three four five six seven eight nine ten eleven twelve " +
      'fifteen twenty thirty forty fifty first second third fourth fifth sixth seventh eighth ninth tenth january february ' +
      'march april june july august september october november december busy home driving work instead better',
  ),
);
/** What follows "hold on" if it means waiting: "a second, let me …". "Hold on to the keys" is a message. */
const HOLDING =
  /^(?:(?:a|one|just|please|second|moment|minute|sec|there) )*(?:let me|i|while|until|my|someone|sorry)\b/;
/**
 * What follows "I didn't understand" if it is about the agent's words. "I didn't understand the letter" is a message.
 */
const UNHEARD =
  /^(?:$|you\b|it\b|(?:that|what you said|the question)(?:$| (?:sorry|because|but|could|can|please|my|the|there)\b))/;

/**
 * True if an utterance consists of some phrases and of words without content.
 * @param places where the phrases are; empty to ask whether the utterance has no content at all
 */
export function hasOnlyFillersBeside(words: readonly string[], places: readonly WordSpan[]): boolean {
  return words.every(
    (word, index) => FILLERS.has(word) || places.some(({ start, end }) => index >= start && index < end),
  );
}

/** True if an utterance consists of some phrases, a time and fillers: "call me tomorrow at three". */
export function hasOnlyTimeBeside(words: readonly string[], places: readonly WordSpan[]): boolean {
  // Every word for a time becomes a filler ("at").
  const others = words.map((word) => (TIME_WORDS.has(word) || /^\d/.test(word) ? 'at' : word));
  return hasOnlyFillersBeside(others, places);
}

/**
 * True if an utterance begins with a request, and its rest only explains the request: "who is this, I don't know any
 * clinic". For `who`, any rest is an explanation; for the other requests the words decide.
 * @param place where the phrase of the request is
 */
export function beginsWithRequest(
  words: readonly string[],
  place: WordSpan,
  request: 'repeat' | 'who' | 'hold' | 'person',
): boolean {
  if (!hasOnlyFillersBeside(words.slice(0, place.start), [])) return false;
  const rest = words.slice(place.end).join(' ');
  if (request === 'hold') return HOLDING.test(rest);
  // After "repeat" alone follows what another person is to repeat: a message.
  if (request === 'repeat') return words[place.end - 1] !== 'repeat' && UNHEARD.test(rest);
  // "Representative" alone is a request; "a representative came on Monday" is a message.
  return request === 'who' || place.end - place.start > 1;
}
