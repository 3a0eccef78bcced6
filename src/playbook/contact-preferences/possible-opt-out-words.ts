import { phrasingCompiler } from '#language/phrasing.js';

/**
 * Classes of words about calls, wider than those of `call-words.ts`: a match of a possible opt-out only makes the agent
 * ask whether the caller wants no more calls.
 */
const WIDE_CALL_WORDS = {
  call:
    'call|ring|phone|telephone|dial|contact|' +
    '(bother|disturb|pester|harass|hassle|annoy) ' +
    '&(me|us|him|her|them|my|our|people|old|anybody|anyone|someone|somebody|others|this)',
  called:
    'called|rung|rang|phoned|telephoned|dialled|dialed|contacted|bothered|disturbed|pestered|harassed|hassled|annoyed',
  /** "Called" in the sense of telephoning: a name ("called Ada") must not follow. */
  called_then:
    '<called> &($|now|again|any|anymore|at|on|here|like|back|for|in|to|this|my|our|me|us|from|up|and|or|so|please|ever)|' +
    '(called|rung|phoned|contacted) &(by)',
  calling:
    'calling|ringing|phoning|telephoning|dialling|dialing|contacting|bothering|disturbing|pestering|harassing|hassling|' +
    'annoying',
  calls:
    '<call>|<called_then>|<calling>|calls|robocalls?|callers?|rings|phones|contacts|' +
    '(hear|heard|hearing) [anything|more|enough] from',

  /** Places where numbers are kept. */
  listed: 'lists?|databases?|records?|systems?|files?|directory|computers?|books?|sheets?',
  number: 'numbers?|name|details|phone|line|landline|mobile|data',
  /** Words between the thing to remove and the list. */
  of_mine:
    'please|just|me|us|my|our|this|that|these|the|it|all|any|every|whatever|his|her|him|them|from|off|out|of|in|on|your|' +
    'their|phone|telephone|mobile|cell|home|contact|call|calling|company|wife|husband|mother|father|mum|mom|dad|<number>',

  /** Verbs and phrases that ask for an end or express weariness. */
  end:
    'stop|stops|quit|cease|ceased|desist|refrain|avoid|halt|(spare|save) (me|us)|enough (of|with|already|$)|an end|had it|' +
    '(give|giving) [it|me|us] a (rest|break)|(cut|knock|pack) (it|that|this) (out|off|in)|lay off|back off|' +
    'leave (me|us|off)|(sick|tired|fed up|weary|bored) (of|with)|hate|hates|dislike|detest|resent|unwelcome|unwanted|' +
    'annoying|harassment|harassing|nuisance|intrusive|invasion|illegal|refuse|object|forbid',
  remove:
    'rub|kick|remove|removed|removing|delete|deleted|deleting|erase|erased|scrub|scrubbed|purge|purged|wipe|wiped|strike|' +
    'struck|scratch|scratched|cross|crossed|drop|lose|forget|block|blocked|bin|ditch|discard|destroy|eliminate|exclude|' +
    'clear|gone|take|taken|get|pull|want',
  never: 'not|never|no longer|nobody|no one|none|without',
  consent: 'consent|permission|authorisation|authorization',

  /** Up to seven words between two expressions that belong together. */
  near: '[_] [_] [_] [_] [_] [_] [_]',
} as const;

/**
 * Compiles patterns with the classes above: those of possible opt-outs (`possible-opt-out-rules.ts`), and those of talk
 * about calls that is no opt-out (`unrelated-call-talk.ts`).
 */
export const widePhrasing = phrasingCompiler(WIDE_CALL_WORDS);
