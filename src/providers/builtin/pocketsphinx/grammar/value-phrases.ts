import { FIRST_NAMES, LAST_NAMES } from '#language/english-names.js';

/** Words separated by spaces as alternatives of a rule: `"ann bob"` → `"ann | bob"`. */
const alternatives = (words: string) => words.split(' ').join(' | ');

/**
 * Rules for days, times, numbers, phone numbers and names, in English. They are in the JSpeech Grammar Format (JSGF):
 * `|` separates alternatives, `[ ]` is optional, `<name>` is another rule, `+` a repetition. Every word must be in the
 * engine's dictionary. Grammars (`grammar.ts`) include the rules that they name.
 */
export const VALUE_RULES: Readonly<Record<string, string>> = {
  // Words before a value that do not sound like a number.
  opening: 'um | uh | yes | yeah | okay',
  ones: 'one | two | three | four | five | six | seven | eight | nine',
  teens: 'ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen',
  tens: 'twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety',

  weekday: 'monday | tuesday | wednesday | thursday | friday | saturday | sunday',
  month:
    'january | february | march | april | may | june | july | august | september | october | november | december',
  ordinal:
    'first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth | thirteenth | ' +
    'fourteenth | fifteenth | sixteenth | seventeenth | eighteenth | nineteenth | twentieth | thirtieth | thirty first | ' +
    'twenty (first | second | third | fourth | fifth | sixth | seventh | eighth | ninth)',
  counted_day: '<ones> | <teens> | twenty [<ones>] | thirty [one]',
  year: '(nineteen | twenty) (<tens> [<ones>] | <teens> | oh <ones>) | two thousand [[and] (<ones> | <teens> | twenty [<ones>])]',
  few: 'one | two | three | four | five | six | seven | eight | nine | ten | a',
  // "June the eight" is rare and sounds like "the eighth"; "twenty eight June" is rare and sounds like "Wednesday at
  // two". Both are left out.
  month_day:
    '<month> ([the] <ordinal> | <counted_day>) [<year>] | [the] <ordinal> of <month> [<year>] | ' +
    'the <ordinal> <month> [<year>]',
  date_value:
    'today | tomorrow | yesterday | [the] day after tomorrow | [this | next | this coming] <weekday> [the <ordinal> | <month_day> | next week] | next week [on] <weekday> | christmas [eve | day] | ' +
    '<month_day> | the <ordinal> | in <few> (day | days | week | weeks | month | months) | <few> (week | weeks | days) from (today | tomorrow | <weekday>)',
  date_lead:
    "on | [i] [would] prefer | i'd like | i'd prefer | i would like | how about | what about | maybe | let's (say | do | make it | go with) | make it | " +
    "it's | it is | that's | that would be | (can | could) (we | you) do | for | i think | by | i'd say | i guess | <can_come> [on] | (any time | sometime) on | " +
    'do you have (anything | something) on',
  // Offers of a time.
  can_come:
    "i (can | could) (do | come | make it | make) | i could be there | i'm (free | available) | i am (free | available)",
  // Callers who book a table say everything at once: "for four on Friday at seven".
  for_how_many: 'for (two | three | four | five | six | seven | eight | nine | ten) [people | persons]',
  near_day: 'today | tomorrow | [this | next] <weekday>',
  at_time: '(at | around | about) <time_value>',
  booking:
    '[on] <near_day> [<part_of_day>] (<at_time> | <clear_time>) [<for_how_many>] | <for_how_many> [on] <near_day> [<at_time>] | is <near_day> (possible | available | okay)',
  // Clear times even without "at".
  clear_time: '<hour> <minutes> | <hour> <half_day> | noon',
  part_of_day: 'morning | afternoon | evening',
  daypart: 'in the <part_of_day> | at night | <part_of_day>',

  hour: 'one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve',
  minutes: '<teens> | (twenty | thirty | forty | fifty) [<ones>] | oh <ones>',
  half_day:
    "a m | p m | in the morning | in the afternoon | in the evening | at night | o'clock [in the morning | in the afternoon | in the evening]",
  time_value:
    '<hour> [<minutes>] [<half_day>] | half past <hour> [<half_day>] | [a] quarter (past | to | after) <hour> [<half_day>] | ' +
    '(five | ten | twenty | twenty five) [minutes] (past | to) <hour> [<half_day>] | noon | midday | midnight',
  time_lead:
    "at | around | about | [i] [would] prefer | i'd like | i'd prefer | i would like | how about | what about | maybe [around] | let's (say | do | make it) | make it | " +
    "it's | it is | that's | that would be | (can | could) (we | you) (do | make it) | for | i think | at about | at around | i'd say | i guess | <can_come> [at | around] | any time after",

  // "Call me back tomorrow at three", recognised at every question. Small, because every grammar includes it.
  call_back_when:
    '(today | tomorrow [morning | afternoon | evening]) [at <call_hour>] | on <weekday> [at <call_hour>] | at <call_hour> | this (afternoon | evening) | ' +
    '(in | after) (an hour | half an hour | two hours | (ten | twenty | thirty) minutes) | an hour later',
  call_hour: '<hour> [thirty] [a m | p m]',
  call_back: '[please | not now | no | no not now | sorry not now] call me [back] <call_back_when> [please]',

  up_to_ten: 'zero | <ones> | ten',
  up_to_twenty: 'zero | <ones> | <teens> | twenty',
  below_hundred: 'zero | <ones> | <teens> | <tens> [<ones>]',
  hundreds: '(a | <ones>) hundred [[and] <below_hundred>]',
  below_thousand: '<below_hundred> | <hundreds>',
  any_number:
    '<below_thousand> | <teens> hundred [[and] <below_hundred>] | (a | <below_thousand>) thousand [[and] <below_thousand>]',
  decimal: '<any_number> [point <ones> | and a half]',
  number_lead:
    "it's | it is | that's | i'd say | i would say | i'd give it | i would give it | i give it | maybe | about | around | probably | i think | " +
    "make it | definitely | just [the] | a | an | we are | there are | there's | for | [a] table for | [a] party of | " +
    "(there | we) will be | we'll be | we would be | let's say | i guess | it was | a (solid | good)",
  // Without this rule, "none" would be recognised as "nine" or "one".
  alone: "(nobody | no one) else | (just | only) me | [there are | there's] none [of them | at all | please]",
  number_trail:
    'out of ten | points | people | of them | of us | adults | guests | or so | please | i think | i guess | in total | percent | dollars',

  digit: 'zero | oh | <ones>',
  digits: '<digit> | (double | triple) <digit> | <ones> hundred',
  pair: '<tens> [<ones>] | <teens>',
  three:
    '<digit> <digit> <digit> | double <digit> <digit> | <digit> double <digit> | triple <digit> | <ones> hundred',
  four:
    '<digit> <digit> <digit> <digit> | double <digit> <digit> <digit> | <digit> double <digit> <digit> | <digit> <digit> double <digit> | ' +
    'double <digit> double <digit> | triple <digit> <digit> | <digit> triple <digit> | <pair> <pair> | <ones> <ones> hundred',
  // A known number format keeps digits from being repeated or dropped.
  north_american: '[[plus] one] <three> <three> <four> | <three> <four>',
  any_phone: '[plus] <digits> <digits> <digits> <digits>+',
  phone_lead:
    "[yes | sure | okay] (it's | it is | my number is | the number is | that's | call me at | you can reach me at | area code)",

  // Answers without a value: without these, the nearest value would be recognised.
  no_value:
    "[<yes_word> | <no_word>] (i will be there | i'll be there | i will come | i have time | i can come | i can make it | " +
    "i cannot come | i can't come | i am coming | i don't know | i am not sure | that is fine | that is right | sounds good) [<polite>] | " +
    '(<yes_word> | <no_word>) [<polite>]',

  // Names of people, and names that are spelled with three to nine letters.
  first_name: alternatives(FIRST_NAMES),
  last_name: alternatives(LAST_NAMES),
  letter: alternatives('a b c d e f g h i j k l m n o p q r s t u v w x y z'),
  spelled: '<letter> <letter> <letter> [<letter> [<letter> [<letter> [<letter> [<letter> [<letter>]]]]]]',
  name_lead:
    "my name is | my name's | the name is | the name's | this is | it's | it is | i'm | i am | yes this is | call me | " +
    "you are speaking (with | to) | you're speaking (with | to)",
  name_trail: 'speaking | here | please | is my name',
  name_value: '<first_name> [<last_name>] | <last_name>',

  correction_lead:
    '[<no_word> | sorry | no sorry | wait | no wait | actually | no actually] ' +
    "(i said | i meant | i mean | it's | it is | that's | make it | it should be | i wanted | not that) | " +
    'no | nope | no no | sorry | no sorry | wait | no wait | actually | no actually | i said | i meant',
};

/** The rule for a value with the words that callers say around it. */
const withSurroundings = (lead: string, value: string, trail: string) =>
  `[<opening>] [<${lead}>] ${value} [${trail}] [<polite>]`;

/** The rules for whole answers with each kind of value. Numbers and phone numbers have several rules for the value. */
export const DATE_ANSWER = `${withSurroundings('date_lead', '[on] <date_value> [<daypart>]', '<praise>')} | [<opening>] [<date_lead>] <booking> [<praise>] [<polite>] | <no_value>`;
export const TIME_ANSWER = `${withSurroundings('time_lead', '<time_value>', '<praise>')} | <no_value>`;
export const phoneNumberAnswer = (rule: string) => withSurroundings('phone_lead', `<${rule}>`, 'please');
export const NAME_ANSWER =
  '[<hesitation> | yes] [<name_lead>] <name_value> [<name_trail>] | [<name_lead>] <spelled>';
export const numberAnswer = (rule: string) =>
  `${withSurroundings('number_lead', `<${rule}>`, '<number_trail>')} | <alone> | <no_value>`;
