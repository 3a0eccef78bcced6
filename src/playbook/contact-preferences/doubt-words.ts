import { phrasings } from '#language/phrasing.js';

/** Words about calls, wider than those of the opt-out rules: a match here only makes the agent ask. */
const DOUBT_WORDS = {
  call:
    'call|ring|phone|telephone|dial|contact|' +
    '(bother|disturb|pester|harass|hassle|annoy) ' +
    '&(me|us|him|her|them|my|our|people|old|anybody|anyone|someone|somebody|others|this)',
  called:
    'called|rung|rang|phoned|telephoned|dialled|dialed|contacted|bothered|disturbed|pestered|harassed|hassled|annoyed',
  /** "Called" as a verb, not followed by a name. */
  called_then:
    '<called> &($|now|again|any|anymore|at|on|here|like|back|for|in|to|this|my|our|me|us|from|up|and|or|so|please|ever)|' +
    '(called|rung|phoned|contacted) &(by)',
  calling:
    'calling|ringing|phoning|telephoning|dialling|dialing|contacting|bothering|disturbing|pestering|harassing|hassling|' +
    'annoying',
  calls:
    '<call>|<called_then>|<calling>|calls|robocalls?|callers?|rings|phones|contacts|' +
    '(hear|heard|hearing) [anything|more|enough] from',

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

  /** The largest distance, in words, between two expressions that belong together. */
  near: '[_] [_] [_] [_] [_] [_] [_]',
} as const;

/** Compiles phrasings that may be an opt-out. */
export const aboutDoubt = phrasings(DOUBT_WORDS);
