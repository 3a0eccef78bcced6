import { wordsOf } from '#language/words.js';

interface Place {
  start: number;
  end: number;
}

/** Words that tell nothing by themselves: around a request they leave it one, in a message there are others. */
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
/** Of these a wish for another call tells when it is to be. */
const TIME_WORDS = new Set(
  wordsOf(
    'monday tuesday wednesday thursday friday saturday sunday weekend week month today tomorrow tonight morning afternoon ' +
      'evening night noon midnight lunch lunchtime next after before around about by from past half quarter couple few hour ' +
      "hours minutes days weeks o'clock oclock am pm m p one two three four five six seven eight nine ten eleven twelve " +
      'fifteen twenty thirty forty fifty first second third fourth fifth sixth seventh eighth ninth tenth january february ' +
      'march april june july august september october november december busy home driving work instead better',
  ),
);
/** What follows "hold on", where it does not mean to keep something. */
const HOLDING =
  /^(?:(?:a|one|just|please|second|moment|minute|sec|there) )*(?:let me|i|while|until|my|someone|sorry)\b/;
/** What was not heard is what we have said: "I didn't understand the letter" is a message. */
const UNHEARD =
  /^(?:$|you\b|it\b|(?:that|what you said|the question)(?:$| (?:sorry|because|but|could|can|please|my|the|there)\b))/;

/** Whether nothing else is said than these phrases, but for words that tell nothing. */
export function isSaidAlone(words: readonly string[], places: readonly Place[]): boolean {
  return words.every(
    (word, index) => FILLERS.has(word) || places.some(({ start, end }) => index >= start && index < end),
  );
}

/** The same beside the time that they are for: "call me tomorrow at three", but not "… about the boiler". */
export function isTimeAlone(words: readonly string[], places: readonly Place[]): boolean {
  const others = words.map((word) => (TIME_WORDS.has(word) || /^\d/.test(word) ? 'at' : word));
  return isSaidAlone(others, places);
}

/** Whether a request opens what is said, so that the rest only tells why: "who is this, I don't know any clinic". */
export function opensRequest(
  words: readonly string[],
  place: Place,
  request: 'repeat' | 'who' | 'hold' | 'person',
): boolean {
  if (!isSaidAlone(words.slice(0, place.start), [])) return false;
  const rest = words.slice(place.end).join(' ');
  if (request === 'hold') return HOLDING.test(rest);
  if (request === 'repeat') return words[place.end - 1] !== 'repeat' && UNHEARD.test(rest);
  // "Representative" alone is one; "a representative came on Monday" is a message.
  return request === 'who' || place.end - place.start > 1;
}
