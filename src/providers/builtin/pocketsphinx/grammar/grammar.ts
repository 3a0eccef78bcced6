import { LRUCache } from 'lru-cache';
import type { Answerable, RecognitionHints, Transcript } from '#speech/stt.js';
import type { RecognitionTarget } from '#providers/builtin/threads/protocol.js';
import { yesNoTranscript } from '#providers/builtin/pocketsphinx/confidence/yes-no-transcript.js';
import {
  greetingTranscript,
  grammarTranscript,
  type AlignedWord,
} from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { GREETING, GREETING_RULES, GREETING_SIGN } from './greetings.js';
import { ANYTHING, CHOICE, PHRASE_RULES, REFUSED, YES_NO } from './phrases.js';
import { phraseNetOf } from './phrase-net.js';
import {
  DATE_ANSWER,
  NAME_ANSWER,
  numberAnswer,
  phoneNumberAnswer,
  TIME_ANSWER,
  VALUE_RULES,
} from './value-phrases.js';
import { automatonOf, writeWordGraph } from './word-automaton.js';
import { toPronounceableWords } from '#language/pronounceable-words.js';

/** The utterances that a decoder can recognise, as a word graph. */
export interface Grammar {
  /** Identifies the grammar: equal for equal grammars. */
  key: string;
  /** The word graph in the engine's format. */
  text: string;
  /** The words of the graph. */
  words: readonly string[];
  /** The penalty per word (0 to 1): lower values produce fewer and longer words. */
  wordPenalty: number;
  /** Converts the engine's alignment to a transcript, which may be "not understood". */
  toTranscript(alignment: readonly AlignedWord[]): Transcript;
}

/** The most phrases of a question; further ones are left out, because they would slow the decoder for all calls. */
const MAX_PHRASES = 400;
/** Longer phrases are left out for the same reason. */
const MAX_PHRASE_WORDS = 12;

/** Cache size; the least recently used grammars are dropped. */
const MAX_CACHED = 200;

/** See `Grammar.wordPenalty`; the best value measured on telephone audio. */
const WORD_PENALTY = 0.2;

/**
 * Makes the grammar for an expected answer, and caches it. A grammar has the answers to the question, corrections of an
 * earlier answer, answers that also contain the one to the next question, and phrases that callers say at any time,
 * such as opt-outs. Used by the hearing threads (`loadHearingDuty`).
 */
export class Grammars {
  readonly #cache = new LRUCache<string, Grammar>({ max: MAX_CACHED });
  #greeting: Grammar | null = null;

  /** The grammar for an expectation. */
  of(expectation: RecognitionTarget): Grammar {
    if (expectation.kind === 'greeting') return (this.#greeting ??= greetingGrammar());
    if (expectation.kind === 'refusal') return this.#answers(expectation.hints, 'refusal');
    return this.#answers(expectation);
  }

  /**
   * The grammar of an expected answer, composed or from the cache.
   * @param pass `refusal` for the second pass, which has all refusals in place of what callers say at any time
   */
  #answers(expectation: RecognitionHints, pass?: 'refusal'): Grammar {
    const answer = answerRulesOf(expectation, 'own');
    const correction = expectation.correction && answerRulesOf(expectation.correction, 'corrected');
    const ahead = expectation.ahead && answerRulesOf(expectation.ahead, 'ahead');
    const key = [pass ?? '', answer.key, correction?.key ?? '', ahead?.key ?? ''].join('||');
    const known = this.#cache.get(key);
    if (known) return known;
    const grammar = compose(key, answer, { correction, ahead, refusal: pass && REFUSED });
    this.#cache.set(key, grammar);
    return grammar;
  }
}

/** The rules of one expected answer, from which a grammar is composed. */
interface AnswerRules {
  key: string;
  kind: Answerable['kind'];
  /** A whole answer, as JSGF (JSpeech Grammar Format). */
  answer: string;
  /** The value without the words around it, as JSGF; empty if the answer has no value apart from its words. */
  value: string;
  /** The question's phrases as a rule of their own, by its name. */
  rules: Readonly<Record<string, string>>;
}

/**
 * The rules of an expected answer.
 * @param prefix separates the rules of a question from those of corrections and of answers to the next question
 */
function answerRulesOf(expected: Answerable, prefix: 'own' | 'corrected' | 'ahead'): AnswerRules {
  const phrases = spokenPhrases(expected);
  // A choice without usable phrases accepts any words.
  const kind = expected.kind === 'choice' && phrases.length === 0 ? 'anything' : expected.kind;
  const rules: Record<string, string> =
    phrases.length > 0 ? { [`${prefix}_phrase`]: phrases.join(' | ') } : {};
  const form = rulesOfKind(
    expected.kind === kind ? expected : { kind: 'anything' },
    `<${prefix}_phrase>`,
    phrases.length > 0,
  );
  return { key: [kind, form.value, ...phrases].join('|'), kind, rules, ...form };
}

/** The rules for whole answer and value of one kind. @param phrase the rule with the question's phrases, as `<name>` */
function rulesOfKind(
  expected: Answerable,
  phrase: string,
  hasPhrases: boolean,
): Pick<AnswerRules, 'answer' | 'value'> {
  switch (expected.kind) {
    case 'anything':
      return { answer: `${ANYTHING} | ${YES_NO}`, value: '' };
    case 'yes_no':
      return {
        answer: hasPhrases
          ? `${YES_NO} | [<hesitation>] [<yes_word> | <no_word>] ${phrase} [<polite>]`
          : YES_NO,
        value: '<yes_word> | <no_word>',
      };
    case 'choice':
      return { answer: CHOICE.replaceAll('<option>', phrase), value: phrase };
    case 'date':
      return { answer: DATE_ANSWER, value: '<date_value>' };
    case 'time':
      return { answer: TIME_ANSWER, value: '<time_value>' };
    case 'number': {
      const rule = numberRule(expected.max, expected.isWhole);
      return { answer: numberAnswer(rule), value: `<${rule}>` };
    }
    case 'phone_number': {
      const rule = expected.plan === 'north_american' ? 'north_american' : 'any_phone';
      return { answer: phoneNumberAnswer(rule), value: `<${rule}>` };
    }
    case 'name':
      return {
        answer: hasPhrases
          ? `${NAME_ANSWER} | [<hesitation> | yes] [<name_lead>] ${phrase} [<name_trail>]`
          : NAME_ANSWER,
        value: hasPhrases ? `<name_value> | ${phrase}` : '<name_value>',
      };
  }
}

/** The name of the smallest rule that has all allowed numbers: the fewer there are, the better each is recognised. */
function numberRule(max: number | null, isWhole: boolean): string {
  if (!isWhole) return 'decimal';
  if (max === null || max > 999) return 'any_number';
  if (max > 99) return 'below_thousand';
  if (max > 20) return 'below_hundred';
  return max > 10 ? 'up_to_twenty' : 'up_to_ten';
}

/** The question's own phrases, as words. */
function spokenPhrases(expected: Answerable): string[] {
  const spoken = writtenPhrases(expected)
    .map(toPronounceableWords)
    .filter((words) => words.length > 0 && words.length <= MAX_PHRASE_WORDS);
  return [...new Set(spoken.map((words) => words.join(' ')))].slice(0, MAX_PHRASES);
}

/** The question's own phrases, as the playbook spells them. */
function writtenPhrases(expected: Answerable): readonly string[] {
  if (expected.kind === 'choice')
    return expected.options.flatMap(({ value, phrases }) => [value, ...phrases]);
  if (expected.kind === 'yes_no') return expected.phrases ?? [];
  return expected.kind === 'name' ? expected.names : [];
}

/** Composes a grammar from the rules of the answer and further alternatives. */
function compose(
  key: string,
  answer: AnswerRules,
  alternatives: {
    /** Answers that correct an earlier answer. */
    correction?: AnswerRules | undefined;
    /** Answers to the next question. */
    ahead?: AnswerRules | undefined;
    /** The rule that replaces what callers say at any time. */
    refusal?: string | undefined;
  },
): Grammar {
  const { correction, ahead, refusal } = alternatives;
  const rules: Record<string, string> = {
    ...PHRASE_RULES,
    ...VALUE_RULES,
    ...answer.rules,
    ...correction?.rules,
    ...ahead?.rules,
  };
  const corrected = correction && correction.value !== '' ? ` | ${ruleOfCorrection(answer, correction)}` : '';
  const withNextAnswer =
    ahead && ahead.value !== '' && answer.value !== '' ? ` | ${ruleWithNext(answer, ahead)}` : '';
  const atAnyTime = refusal ?? '<screening> | <opt_out> | <no_opt_out> | <call_back>';
  const text = `${answer.answer}${withNextAnswer}${corrected} | <aside> | ${atAnyTime}`;
  return {
    ...graphOf(key, text, rules),
    toTranscript: answer.kind === 'yes_no' ? yesNoTranscript : grammarTranscript,
  };
}

/** The rule for an answer together with that to the next question: "Tuesday at three", "four people on Friday". */
function ruleWithNext(answer: AnswerRules, ahead: AnswerRules): string {
  if (answer.kind === 'number')
    return `[<opening>] [<number_lead>] (${answer.value}) [people | persons] [on | for] (${ahead.value}) [<at_time>] [<polite>]`;
  // "Tomorrow morning at nine", "ten thirty tomorrow".
  const joint = answer.kind === 'date' ? '[<part_of_day>] (at | around | about)' : '[on]';
  return `[<opening>] [<${answer.kind}_lead>] [on] (${answer.value}) ${joint} (${ahead.value}) [<praise>] [<polite>]`;
}

/**
 * The grammar of voicemail greetings. It has nothing else: next to greetings, short answers would be recognised worse.
 */
function greetingGrammar(): Grammar {
  return {
    ...graphOf('greeting', GREETING, GREETING_RULES),
    toTranscript: (words) => greetingTranscript(words, GREETING_SIGN),
  };
}

/** The word graph of a rule, without its `toTranscript`. */
function graphOf(key: string, rule: string, rules: Readonly<Record<string, string>>) {
  const automaton = automatonOf(phraseNetOf(rule, rules));
  const words = new Set(automaton.states.flatMap(({ next }) => [...next.keys()]));
  return { key, text: writeWordGraph(automaton, 'answer'), words: [...words], wordPenalty: WORD_PENALTY };
}

/**
 * The rule for a correction. To "Tuesday, is that right?" callers just say the other day; at a later question they
 * introduce it ("no, I said Wednesday").
 */
function ruleOfCorrection(answer: AnswerRules, { value }: AnswerRules): string {
  const lead = answer.kind === 'yes_no' ? '[<correction_lead>]' : '<correction_lead>';
  return `${lead} (${value}) [<polite>]`;
}
