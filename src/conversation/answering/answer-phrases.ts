import { isSaid } from '#language/phrasing.js';
import type { AnswerWays } from './answer-ways.js';
import { ANSWER_WAYS } from './answer-ways-by-language.js';

const USUAL_LANGUAGE = 'en';

/** What the words of whoever answers sound like. */
export type AnswerKind = 'machine' | 'absent' | 'screening' | 'person';

/** @param language a language tag; one without phrases of its own is read as English */
export function createAnswerReader(language: string): (text: string) => AnswerKind {
  const ways = waysIn(language);
  return (text) => {
    const said = plain(text);
    if (isSaid(ways.screening, said)) return 'screening';
    const isOfMachines = isSaid(ways.machine, said) || isSaid(ways.mailbox, said);
    if (isOfMachines && (isSaid(ways.itself, said) || !isSaid(ways.talk, said))) return 'machine';
    return isSaid(ways.absent, said) ? 'absent' : 'person';
  };
}

/** Whether a machine says that it takes no message. @param language as for {@link createAnswerReader} */
export function takesNoMessage(text: string, language: string): boolean {
  return isSaid(waysIn(language).full, plain(text));
}

function waysIn(language: string): AnswerWays {
  return ANSWER_WAYS[language.slice(0, 2).toLowerCase()] ?? ANSWER_WAYS[USUAL_LANGUAGE]!;
}

/** Small letters without accents, and only words, each with a blank behind it. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .concat(' ');
}
