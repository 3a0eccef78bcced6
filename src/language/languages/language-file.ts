import { z } from 'zod';

/*
 * The schema (zod) of a language: all sentences that the agent says in it, and all phrases by which callers and
 * answering machines are understood. The built-in languages and the JSON files of an operator (`LANGUAGES_DIR`,
 * docs/agents.md) have this form.
 */

/**
 * Phrasings in the notation of `phrasing.ts`, such as `(rufen|ruft) [sie] (mich|uns)`. Capitals, accents and
 * punctuation make no difference.
 */
const phrasings = z.array(z.string().trim().min(1).max(2_000)).max(500);
/** As {@link phrasings}; the lists of this kind hold plain words and phrases, divided by `|`. */
const phrases = phrasings;
const sentence = z.string().trim().min(1).max(1_000);

/** Sentences that the agent says. */
const sentences = z.strictObject({
  not_understood: sentence,
  /** To an answer outside the limits of the question. */
  not_possible: sentence,
  /** Before a question whose answer was read back wrongly. */
  again: sentence,
  /** To a caller who changes an earlier answer. */
  corrected: sentence,
  /** To a silent caller: the first prompt, the later prompts, and the goodbye. */
  still_there: sentence,
  cannot_hear: sentence,
  nobody_there: sentence,
  goodbye: sentence,
  do_not_call: sentence,
  /** To a caller who wants another call at no fixed time. */
  later: sentence,
  /** Confirms a call-back; contains `{{call_back_at}}`, the time. */
  later_at: sentence,
  /** To a caller with a hidden number, who cannot be called back. */
  no_number: sentence,
  /** To a time for a call-back that is past. */
  time_passed: sentence,
  call_back_when: sentence,
  /** To a caller who asks the agent to wait. */
  hold: sentence,
  /** To a caller who asks for a person, if none can be reached. */
  person: sentence,
  /** After a transfer that failed. */
  not_connected: sentence,
  /** When the agent talks with the caller again after a person has talked. */
  returned: sentence,
  wrong_number: sentence,
  /** Asked once per call after an unclear wish for no more calls; a plain yes to it counts for ever. */
  ask_do_not_call: sentence,
  yes_or_no: sentence,
  connecting: sentence,
  one_moment: sentence,
  technical_problem: sentence,
  /** Reads a value back; contains `{{value}}`. */
  is_that_right: sentence,
  /** From here to `could_not_understand`: of an agent that has only its opening message, and takes a message. */
  thank_you: sentence,
  anything_to_pass_on: sentence,
  leave_a_message: sentence,
  what_to_pass_on: sentence,
  in_a_few_words: sentence,
  message_taken: sentence,
  no_message: sentence,
  could_not_understand: sentence,
  /** The greeting that the carrier's own voice says. */
  carrier_greeting: sentence,
  /** The apology that the carrier's own voice says when the service fails. */
  carrier_apology: sentence,
});

/**
 * Phrases by which callers make a request in place of an answer. A wish with an empty list is not recognised, except in
 * English, which the playbook module understands by rules in code.
 */
const wishes = z.strictObject({
  /** A plain and permanent opt-out: obeyed at once, anywhere in a sentence. */
  do_not_call: phrasings,
  /** A possible opt-out: the agent asks whether it is one. */
  perhaps_do_not_call: phrasings,
  wrong_number: phrasings,
  later: phrasings,
  goodbye: phrasings,
  hold: phrasings,
  person: phrasings,
  who: phrasings,
  repeat: phrasings,
  /** Words that accompany a wish or an answer without a meaning of their own: thanks, please, well. */
  fillers: phrases,
});

/** Phrases of answers to yes/no questions. */
const answers = z.strictObject({ yes: phrasings, no: phrasings, unsure: phrasings });

/** Words of callers who speak over the agent. */
const overlap = z.strictObject({
  /** Back-channels: they do not interrupt the agent, except at the end of its turn, where they are an early answer. */
  back_channels: phrases,
  /** Words that interrupt the agent however short they are. */
  stop_words: phrases,
});

/** Phrases of answering machines and screening services. */
const machines = z.strictObject({
  /** Said only by machines: about tones, recordings, and keys to press. */
  machine: phrasings,
  /** A machine's name for itself, which people use as well. */
  mailbox: phrasings,
  /** Words of a machine that names itself, which tell it from a person who mentions a machine. */
  itself: phrasings,
  /** Words of people who mention a machine: they report what they did, and ask. */
  talk: phrasings,
  /** Said by machines, and by people who answer for another person. */
  absent: phrasings,
  /** Said by a service that asks for name and purpose before it connects the call. */
  screening: phrasings,
  /** Said by a machine that takes no message. */
  full: phrasings,
  /** Classes of words, for `<name>` in the phrasings above. */
  classes: z.record(z.string().regex(/^\w+$/), z.string()).optional(),
});

/** Words for days, times and numbers in answers. Names of weekdays and months come from `Intl`. */
const moments = z.strictObject({
  today: phrases,
  tomorrow: phrases,
  day_after_tomorrow: phrases,
  noon: phrases,
  midnight: phrases,
  /** Said before or after the hour of a time: "uhr", "heures". */
  hour: phrases,
  /** Words that move hours up to 11 to the second half of the day. */
  afternoon: phrases,
  /** Forms of time that are not read ("halb drei"): the agent asks again instead of guessing. */
  not_read: phrases,
  /** Zero to twelve; variants of one number are divided by `|`. */
  numbers: z.array(z.string()).length(13),
});

/** Signs as the voice reads them out: "at" for `@` in an e-mail address. */
const signs = z.strictObject({
  at: sentence,
  dot: sentence,
  slash: sentence,
  dash: sentence,
  underscore: sentence,
  and: sentence,
  equals: sentence,
  plus: sentence,
  percent: sentence,
  degrees: sentence,
});

/** All sentences and phrasings of the service in one language. */
export const languageFile = z.strictObject({
  /** The first letters of a language tag (ISO 639). */
  language: z.string().regex(/^[a-z]{2,3}$/, 'must be the letters of a language, such as nl'),
  /** A full tag with a region, for carriers that require one. */
  usual_tag: z.string().regex(/^[a-z]{2,3}-[A-Z]{2}$/, 'must be a tag such as nl-NL'),
  sentences,
  wishes,
  answers,
  overlap,
  machines,
  moments,
  signs,
});
export type LanguageFile = z.output<typeof languageFile>;

/**
 * An addition to an existing language. Its lists of phrases and its classes of words are added to those of the
 * language; every other field, also `numbers`, replaces that of the language.
 */
export const languageAddition = z.strictObject({
  language: languageFile.shape.language,
  usual_tag: languageFile.shape.usual_tag.optional(),
  sentences: sentences.partial().optional(),
  wishes: wishes.partial().optional(),
  answers: answers.partial().optional(),
  overlap: overlap.partial().optional(),
  machines: machines.partial().optional(),
  moments: moments.partial().optional(),
  signs: signs.partial().optional(),
});
export type LanguageAddition = z.output<typeof languageAddition>;

/** A language with an addition, as {@link languageAddition} describes. @throws ZodError for an invalid result */
export function withAddition(file: LanguageFile, addition: LanguageAddition): LanguageFile {
  const extended: Record<string, unknown> = { ...file };
  for (const [part, added] of Object.entries(addition)) {
    const before = extended[part];
    extended[part] =
      typeof added === 'object' ? merged(before as Record<string, unknown>, added) : (added ?? before);
  }
  return languageFile.parse(extended);
}

/** One part of a language with its addition: lists and classes of words are joined, other fields replaced. */
function merged(
  before: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = { ...before };
  for (const [name, value] of Object.entries(added)) {
    const old = result[name];
    const isAppended = Array.isArray(old) && Array.isArray(value) && name !== 'numbers';
    if (isAppended) result[name] = [...(old as unknown[]), ...(value as unknown[])];
    else result[name] = name === 'classes' ? { ...(old as object | undefined), ...(value as object) } : value;
  }
  return result;
}
