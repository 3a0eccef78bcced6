/**
 * Rules for phrases on the telephone, in English: yes, no, refusals, opt-outs and what callers say at any time. They
 * are in the JSpeech Grammar Format (JSGF): `|` separates alternatives, `[ ]` is optional, `<name>` is another rule.
 * Every word must be in the engine's dictionary. The grammars (`Grammars`) share these rules; each includes those that
 * it names.
 */
export const PHRASE_RULES: Readonly<Record<string, string>> = {
  hesitation: 'um | uh | well | oh | hi | hello | sorry | actually',
  polite: 'please | thanks | thank you | thank you very much | thank you so much',

  yes_word:
    'yes | yeah | yep | yup | sure | okay | right | correct | absolutely | definitely | certainly | of course | ' +
    'exactly | indeed | alright | all right | fine | perfect | great | good | wonderful | uh huh | mm hmm | totally | ' +
    'sure thing | sounds good | sounds great | no problem | very good | fantastic | excellent',
  yes_sentence:
    'it is | it does | it was | it will | i am | i do | i can | i will | i would | i did | i have | we are | we can | ' +
    'we will | we do | please do | go ahead | please go ahead | i think so | i believe so | i guess so | ' +
    '<that_is> (right | correct | fine | true | good | great | perfect | okay | me | it | all right) [with me | by me | for me] | ' +
    'that works [for me | fine | great | perfectly | well] | it works [for me | fine] | this works [for me] | ' +
    '(that | it) (would be | will be | sounds) (good | great | fine | perfect | lovely | okay) | ' +
    "(i | we) (can | will) (make it | be there | come | do that | do it) | (i'll | we'll) (be there | make it | come | do that | do it) | " +
    "i'd (like | love) (that | to) | i would (like | love) (that | to) | i (want | confirm) [that | to | it] | confirm [it] | " +
    "(this is | it's) (me | he | she | him | her) | speaking | see you (then | there) | you (got it | are right) | you're right | " +
    'i am still coming | i am coming | i plan to [be there] | works for me | fine by me | looking forward to it | i have time | i do have time',

  no_word:
    'no | nope | nah | no no | not really | not at all | never | no way | absolutely not | definitely not | of course not',
  no_sentence:
    "it isn't | it's not | it is not | it doesn't | it does not | i'm not | i am not | i don't | i do not | i can't | i cannot | " +
    "i won't | i will not | i didn't | i did not | i haven't | we can't | we cannot | we won't | i'd rather not | i would rather not | " +
    '<unable> [make it | come | be there | do that | do it | talk | make that | attend] [today | tomorrow | now | right now | then | anymore | at that time | this time | this week] | ' +
    "(that | it | this) (doesn't | does not | won't | will not | isn't going to | is not going to) work [for me | out] | " +
    '<that_is> (not (right | correct | true | me | good | possible | good for me | going to work) | wrong | incorrect) | ' +
    "it isn't (right | correct | true) | that's a bad time | that is a bad time | " +
    "i don't (think so | think i can | want that | want to | need that | need it | have time) | i do not (think so | want that | want to) | " +
    "i'm afraid (not | i can't | i cannot | i can't make it) | i'm (not interested | busy | not available | not free | not going to make it | not coming) | " +
    'i am (not interested | busy | not available) | not (interested | today | now | right now | this time | yet | for me | anymore | possible) | ' +
    '(wrong | incorrect) [number | person] | you have the wrong (number | person) | ' +
    '[please] cancel [it | that | the appointment | my appointment] | ' +
    '(i | we) (want | need | have | would like) to (cancel | reschedule | change) [it | that | the appointment | my appointment] | ' +
    "i'd like to (cancel | reschedule | change) [it | that | the appointment | my appointment] | " +
    '[please] (reschedule | change it) | can we (reschedule | cancel | change it | do another (day | time)) | something came up | another (time | day)',

  that_is: "that's | that is | it's | it is",
  unable:
    "i can't | i cannot | i won't be able to | i will not be able to | i'm not able to | i am not able to | we can't | i couldn't | i could not",

  // Words that soften a refusal. Without "unfortunately" the engine recognises it as "um, fine, certainly".
  regret: "unfortunately | i'm afraid | i am afraid | [i'm | i am] [so | really | very] sorry",
  // In addition to the usual refusals: the opposite of each short yes, and the words that follow regret.
  refusal:
    '<no_sentence> | <unable> | not | no | no thanks | no thank you | not really | not (today | now | right now | at the moment | at all) | ' +
    "(i | we) (wouldn't | would not | won't | don't | didn't | haven't | wasn't | can't | cannot) | i really (can't | cannot | don't | won't) | " +
    "(that | it | this) (doesn't | does not | won't | will not) (suit me | suit | help) | <that_is> (no good [for me] | impossible | not a good time) | " +
    "i'm (unable to | not able to) [make it | come | do that | do it] | (i | we) (won't | will not | can't | cannot) (make it | come | be there | do that | do it) | " +
    "(i | we) have to (say no | decline | refuse) | i (must | would) decline | (i'd | i would) (prefer | rather) not [to] | " +
    "i (don't | do not) (need that | want it | have the time | have any time) | (that | it | this) (isn't | is not) possible | i'm (not free | unavailable)",
  refused:
    '[<hesitation>] [no] [<regret> [but]] <refusal> [sorry | thanks | thank you | then | today | tomorrow] | [<hesitation>] unfortunately',

  aside:
    "[sorry | pardon] (what | what was that | what did you say | who is this | who's this | who are you | who is calling | who's calling) | " +
    'pardon | pardon me | excuse me | (can | could) you (repeat that | say that again | speak up | repeat) [please] | ' +
    "[please] (repeat that | say that again | repeat) [please] | say again | come again | i (don't | didn't | do not) (understand | hear you | hear that | know | get that) | " +
    "i'm not sure | i am not sure | maybe | i have to check | let me check | (hold | hang) on [a (moment | second | minute)] [please] | one (moment | second | minute) [please] | just a (moment | second | minute) [please] | " +
    '[oh | no] (wait | stop) [wait | stop | please] | wait a (moment | second | minute) | hello | are you there | are you a (robot | machine | computer | person) | is this a (robot | machine | recording) | ' +
    '(goodbye | bye | bye bye | thank you | thanks | have a (nice | good) day | talk to you later) [goodbye | bye] | ' +
    '(can | could | may) i (speak | talk) (to | with) (a person | a human | someone | somebody | an agent | an operator | the manager) [please] | ' +
    'i (want | need) to (speak | talk) (to | with) (a person | a human | someone | somebody | an agent | an operator | the manager) | ' +
    "operator | representative | agent | [please] call [me] back [later] | call me later | call me (tomorrow | another time) | i'm driving | i'm (at work | in a meeting) | " +
    'this is a bad time | [thank you] please (hold [the line] | stay on the line) | hold the line',

  // Call-screening services ask at the start and expect an answer.
  screened:
    "[hello | hi] the person (you are | you're) (calling | trying to reach) is using a screening service",
  screening:
    '<screened> | [<screened>] [please | go ahead and] (say | state | record) your name and ' +
    "(why (you are | you're) calling | [the | your] reason for (calling | your call)) [please]",

  // Recognised at every question: a missed opt-out would mean calling a person who has refused.
  opt_out:
    "[please] (don't | do not | never) [ever] call (me | us | here | this number) [again | anymore | any more | ever again] [please] | " +
    "[please] (don't | do not | never) ring me (again | anymore) | [please] don't contact me again | " +
    "[please] (stop | quit) calling [me | us | here | this number] [please | day and night | or i'll report you] | " +
    '[please] stop (ringing me | bothering me | these calls) | leave me alone | no calls please | no more calls [please] | ' +
    "i don't want (any more calls | you to call me [again]) | i'd rather you never called again | " +
    '[please] (take | remove) (me | us | my number) (off | from) (your | the) list [please] | [please] (remove | delete) my number [please] | ' +
    '[please] remove my name from your list | [please] put me on your do not call list | i want to be removed from your list',

  // Phrases that would otherwise be recognised as an opt-out.
  no_opt_out:
    "leave (me | us) a message | leave it alone | i'd rather you called [me] later | do not change it | don't cancel it",

  want:
    "i'd like | i would like | i'd prefer | i would prefer | i prefer | i want | i'd rather have | i'll take | i will take | i'll have | i choose | i need | " +
    "i'd go (for | with) | i'll go (for | with) | i would say | i'd say | i think | let's do | let's say | let's take | let's go with | " +
    'can i have | can i get | could i have | can we do | can we make it | how about | what about | maybe | probably | preferably | it is | ' +
    "it's | that's | that would be | give me | put me down for | make it | we'd like | definitely | i guess",
  article: 'the | a | an | in the | on the | for the | at | on | in | for | to | about | around | any | some',
  praise:
    '(is | would be | will be | works | sounds | seems) (better | best | good | great | fine | perfect | okay | ideal) [for me | for us | then] | works for me | works | ' +
    '(would | will | could) work [for me | best | better] | is possible | instead | suits me | suits me (better | best) | then | for me | i think | i guess | if possible | if that works | if you can | if available',
  neither:
    "neither | neither one | neither of them | none | none of them | either | either one | either one is fine | both | any | anything | whatever | i don't care | it doesn't matter | don't know | " +
    'not sure | something else | no preference',

  greeting:
    'hello | hi | hey | good (morning | afternoon | evening | day) | hi there | hello there | yes hello',
  person: 'this is <he> | <he> speaking | speaking',
  he: 'he | she | him | her | me',
  number:
    'zero | one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | ' +
    'eighteen | nineteen | <tens> [<ones>] | (a | one) hundred | oh',
  numbers: '<number> [<number> [<number> [<number> [<number> [<number> [<number>]]]]]]',
  day: 'monday | tuesday | wednesday | thursday | friday | saturday | sunday | today | tomorrow | the day after tomorrow | next week | this week',
  daytime: 'morning | afternoon | evening | noon | midday | lunchtime | night',
  time: "<number> [<number>] [o'clock | a m | p m] | half past <number> | quarter (past | to) <number> | noon | midday",
  when: '[on | next | this] <day> [<daytime> | in the <daytime> | at <time> | <time>] | [in] the <daytime> | (at | around | about | after | before) <time> | as soon as possible | any time | anytime | later',
};

/** The rule for any answer to a yes/no question. */
export const YES_NO =
  '[<hesitation>] (<yes_word> [<yes_word>] [<yes_sentence>] | <yes_sentence>) [<polite>] | ' +
  '[<hesitation>] (<no_word> [<no_word>] [sorry | but] [<no_sentence> | thanks | thank you] | <no_sentence>) [sorry | thanks | thank you]';

/**
 * The rule for all refusals, which only the second pass uses: in the first pass, voicemail greetings and "uh-huh" would
 * be recognised as some of them.
 */
export const REFUSED = '<refused>';

/** The rule for a choice: the words around the option's own phrases, which replace `<option>`. */
export const CHOICE =
  '[<hesitation> | <yes_word>] [<want>] [<article>] <option> [(or | and) [<article>] <option>] [<praise>] [<polite>] | ' +
  '[<hesitation>] <neither> [<polite>] | [<hesitation>] (<yes_word> | <no_word>) [<polite>] | [<no_word>] <no_sentence>';

/** The rule for free speech: of it, only greetings, days, times and numbers are recognised. */
export const ANYTHING =
  '<greeting> [<person>] | <person> | [<hesitation>] [<want>] <when> [<praise>] [<polite>] | <numbers>';
