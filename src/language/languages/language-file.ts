import { z } from 'zod';

/**
 * Ways of saying something, in the notation of `phrasing.ts`, such as `(rufen|ruft) [sie] (mich|uns)`. Capitals,
 * accents and marks make no difference.
 */
const ways = z.array(z.string().trim().min(1).max(2_000)).max(500);
/** Words and phrases, divided by `|`. */
const phrases = ways;
const sentence = z.string().trim().min(1).max(1_000);

const sentences = z.strictObject({
  not_understood: sentence,
  not_possible: sentence,
  again: sentence,
  corrected: sentence,
  still_there: sentence,
  cannot_hear: sentence,
  nobody_there: sentence,
  goodbye: sentence,
  do_not_call: sentence,
  later: sentence,
  later_at: sentence,
  no_number: sentence,
  time_passed: sentence,
  call_back_when: sentence,
  hold: sentence,
  person: sentence,
  not_connected: sentence,
  returned: sentence,
  wrong_number: sentence,
  /** Asked once in a call where no more calls may have been wished for; a plain yes to it counts for ever. */
  ask_do_not_call: sentence,
  yes_or_no: sentence,
  connecting: sentence,
  one_moment: sentence,
  technical_problem: sentence,
  /** Reads a value back; holds `{{value}}`. */
  is_that_right: sentence,
  /** Of an agent that has nothing but its opening message, and takes a note. */
  thank_you: sentence,
  anything_to_pass_on: sentence,
  leave_a_message: sentence,
  what_to_pass_on: sentence,
  in_a_few_words: sentence,
  message_taken: sentence,
  no_message: sentence,
  could_not_understand: sentence,
  /** What a carrier's own voice says: to greet, and when the service fails. */
  carrier_greeting: sentence,
  carrier_apology: sentence,
});

/** What callers want instead of answering; what is not listed in a language is not understood in it. */
const wishes = z.strictObject({
  /** No more calls, plainly and for ever: taken at once, wherever in a sentence it stands. */
  do_not_call: ways,
  /** Perhaps no more calls: the agent asks. */
  perhaps_do_not_call: ways,
  wrong_number: ways,
  later: ways,
  goodbye: ways,
  hold: ways,
  person: ways,
  who: ways,
  repeat: ways,
  /** Said along with a wish or an answer, and adding nothing: thanks, please, well. */
  fillers: phrases,
});

const answers = z.strictObject({ yes: ways, no: ways, unsure: ways });

/** What is said while the agent speaks. */
const overlap = z.strictObject({
  /** Acknowledgements, which never interrupt. */
  back_channels: phrases,
  /** Words that always interrupt, however short. */
  stop_words: phrases,
});

/** How answering machines and screening services speak. */
const machines = z.strictObject({
  /** Only machines say this: of tones and recordings, and what to press. */
  machine: ways,
  /** What a machine calls itself. People speak of such things, too. */
  mailbox: ways,
  /** How machines go on that name themselves. */
  itself: ways,
  /** How people go on who speak of one: they tell what they did, and ask. */
  talk: ways,
  /** Machines say this, and so do people who answer for another person. */
  absent: ways,
  /** A service that asks for name and purpose before it connects anybody. */
  screening: ways,
  /** A machine that takes no message. */
  full: ways,
  /** Classes of words, for `<name>` in the ways above. */
  classes: z.record(z.string().regex(/^\w+$/), z.string()).optional(),
});

/** Words for days, times and numbers. Names of weekdays and months come from `Intl`. */
const moments = z.strictObject({
  today: phrases,
  tomorrow: phrases,
  day_after_tomorrow: phrases,
  noon: phrases,
  midnight: phrases,
  /** Said before or behind the hour of a time: "uhr", "heures". */
  hour: phrases,
  /** Make hours up to 11 those of the second half of the day. */
  afternoon: phrases,
  /** Ways of telling a time that are not read ("halb drei"): the agent asks again rather than guess. */
  not_read: phrases,
  /** Zero to twelve; several for one number are divided by `|`. */
  numbers: z.array(z.string()).length(13),
});

/** Signs as they are read out. */
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

/** All that the service says and understands by itself in one language. */
export const languageFile = z.strictObject({
  /** The first letters of a language tag (ISO 639). */
  language: z.string().regex(/^[a-z]{2,3}$/, 'must be the letters of a language, such as nl'),
  /** The tag of a region of it, for carriers that need one. */
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

/** What adds to a language that is there: its lists grow, its sentences are replaced. */
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

/** A language with an addition to it. */
export function withAddition(file: LanguageFile, addition: LanguageAddition): LanguageFile {
  const grown: Record<string, unknown> = { ...file };
  for (const [part, added] of Object.entries(addition)) {
    const before = grown[part];
    grown[part] =
      typeof added === 'object' ? merged(before as Record<string, unknown>, added) : (added ?? before);
  }
  return languageFile.parse(grown);
}

function merged(
  before: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = { ...before };
  for (const [name, value] of Object.entries(added)) {
    const old = result[name];
    const grows = Array.isArray(old) && Array.isArray(value) && name !== 'numbers';
    result[name] = grows ? [...(old as unknown[]), ...(value as unknown[])] : value;
  }
  return result;
}
