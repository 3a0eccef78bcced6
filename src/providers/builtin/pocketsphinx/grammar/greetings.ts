/**
 * Rules (JSpeech Grammar Format) for voicemail greetings: typical words in any order around the signs, the phrases that
 * only a machine says. A name in a greeting is recognised as some of the other words, which does not matter. Used by
 * `Grammars` for the second pass over the first utterances of a call.
 */
export const GREETING_RULES: Readonly<Record<string, string>> = {
  word:
    "hello | hi | this | is | you | you've | have | has | been | reached | the | of | for | to | my | our | office | desk | phone | number | " +
    "name | person | that | i | i'm | am | we | we're | are | will | i'll | we'll | can | can't | not | able | available | unable | " +
    'come | take | get | back | return | call | calling | right | now | moment | currently | busy | away | home | here | when | at | in | on | ' +
    'your | please | leave | me | us | with | and | or | but | a | short | brief | as soon as | possible | thank you | sorry | later | again | try | message | voice | automatic',
  sign:
    '(after | at) the (tone | beep | signal) | leave [me | us] (a | your) [brief | short | detailed] message | voicemail | ' +
    'voice mail | mailbox | record your message | get back to you as soon as | your call is important | has been forwarded to',
};

/** The rule for a greeting, which has words before its first sign. */
export const GREETING = '<word>+ <sign> [(<word> | <sign>)+]';

/** The signs of {@link GREETING_RULES} as a regular expression over the recognised words. */
export const GREETING_SIGN =
  /^(?:(?:after|at) the (?:tone|beep|signal)|leave (?:(?:me|us) )?(?:a|your) (?:(?:brief|short|detailed) )?message|voice ?mail|mailbox|record your message|get back to you as soon as|your call is important|has been forwarded to)$/;
