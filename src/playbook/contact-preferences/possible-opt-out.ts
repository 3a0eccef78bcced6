import { POSSIBLE_OPT_OUT_RULES, FED_UP, MENTIONS_CALLS, CERTAIN_OPT_OUT } from './possible-opt-out-rules.js';
import { isNaming } from './opt-out-tail.js';
import { matches, toMatchText } from '#language/phrasing.js';
import { UNRELATED_TALK, OTHER_REQUEST, LIMITED_WISH } from './unrelated-call-talk.js';

/**
 * True if the caller may want no more calls, so that the agent should ask. `OptOutQuestion` calls it for utterances
 * that are no clear opt-out (`isOptOutIn`) and have no other known meaning. The first test that applies decides.
 * @param words the words of the utterance, as `wordsOf` returns them
 */
export function mayBeOptOut(words: readonly string[]): boolean {
  const said = toMatchText(words);
  // Another request comes first: "use my new number" matches many possible opt-outs.
  if (matches(OTHER_REQUEST, said)) return false;
  if (matches(CERTAIN_OPT_OUT, said)) return true;
  // An opt-out is permanent, so a wish for one time or place ("not at work") is no opt-out.
  if (matches(LIMITED_WISH, said)) return false;
  if (matches(FED_UP, said) && matches(MENTIONS_CALLS, said)) return true;
  // Everyday talk about calls is cut out. Each remaining part is tested alone: words from both sides of a cut do not
  // belong together.
  const parts = said.replace(UNRELATED_TALK, '\n').split('\n');
  return parts.some((part, index) => hasPossibleOptOut(part, parts.slice(index + 1).join('')));
}

/**
 * True if a part of the utterance matches a possible opt-out, and the words before the match give it no other meaning.
 * @param next the parts after this part: they show whether "call me" is about a name ("don't call me mate")
 */
function hasPossibleOptOut(part: string, next: string): boolean {
  return POSSIBLE_OPT_OUT_RULES.some(({ phrasing, unless }) =>
    [...part.matchAll(phrasing)].some((match) => {
      const end = match.index + match[0].length;
      const fromLastWord = part.slice(part.lastIndexOf(' ', end - 2) + 1) + next;
      const head = part.slice(0, match.index);
      return !isNaming(fromLastWord) && !unless.some((exception) => matches(exception, head));
    }),
  );
}
