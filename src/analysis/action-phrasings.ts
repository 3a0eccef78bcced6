import { phrasingCompiler, type Phrasing } from '#language/phrasing.js';

/*
 * English phrasings by which callers ask an office to do something, and by which an agent promises it.
 * `actionableItems` finds the tasks of a call with them. `phrasing.ts` explains the notation.
 */

/** Verbs of promises ("we are sending") and their imperatives ("send"), with which a task begins. */
export const IMPERATIVES: Readonly<Record<string, string>> = {
  arranging: 'arrange',
  booking: 'book',
  bringing: 'bring',
  calling: 'call',
  cancelling: 'cancel',
  canceling: 'cancel',
  changing: 'change',
  checking: 'check',
  emailing: 'email',
  fixing: 'fix',
  forwarding: 'forward',
  ordering: 'order',
  passing: 'pass',
  refunding: 'refund',
  sending: 'send',
  texting: 'text',
  transferring: 'transfer',
  updating: 'update',
};

/** Compiles patterns with these classes of words. */
const compile = phrasingCompiler({
  /** Verbs of tasks for an office; others ("I will be there") leave nothing to do. */
  action:
    'activate|add|apply|arrange|ask !(again|you|me|a|one|two)|block|book|bring|call|cancel|change|charge|check|collect|come|confirm|contact|correct|' +
    'credit|deliver|drop|email|exchange|extend|fill|find [out]|fix|forward|give !(me (a|one) <moment>)|have !(to|a (good|nice|great|lovely))|inform|' +
    'install|leave !(me|us)|look (into|at|up|for)|mail|make !(it (quick|short))|move|note|order|pass|phone|pick|post|' +
    'prepare|print|put !(that down as|me (through|on))|rebook|record|refund|register|remind|remove|renew|repair|replace|report|' +
    'reschedule|reserve|reset|return|ring|schedule|send|set|ship|show|sign|sort|switch|take !(care|your time)|' +
    'tell !(me (what|who|why|how|your|the|where|more|if|again|about)|you (what|how|why|about|that))|text|transfer|turn|unlock|update|write|<known>|' +
    'get !(to|on|going|started|me wrong)',
  known: 'let (me|us|him|her|them|(the|my|your|our) _) know !(what this|who)',
  moment: 'second|sec|moment|minute|chance|break',
  comes: 'call|ring|phone|send|bring|come|look|contact',
  later: 'back|again|later|tomorrow|on|at|in|when|monday|tuesday|wednesday|thursday|friday',
  politely: 'please|kindly|maybe|perhaps|just|also|possibly|at least|then|now',
  /** Verbs of customers that an office has to act on. */
  change:
    'book|cancel|change|move|reschedule|rebook|postpone|reserve|order|return|exchange|update|renew|upgrade|add|remove|' +
    'register|report|make (an appointment|a (reservation|booking|complaint))|arrange',
  given:
    'copy|receipt|refund|invoice|password|(call|ring) back|callback|appointment|number of|address of|form|brochure|quote|' +
    'certificate|prescription|replacement|bill|confirmation|statement|reminder|ticket|list of|money back|discount|taxi|' +
    'plumber|technician|key|card',
  a: '(a|an|the|my|our|another|some) [new|full|second|spare|written|printed|replacement|repeat]',
  somebody: 'you|somebody|someone|anybody|anyone|one of you',
  they: 'someone|somebody|(the|our|my|a|an|your) _ [_]|one of (our|my|the) _',
  doing: Object.keys(IMPERATIVES).join('|'),
});

/** A phrasing that announces an action: "can you [send me a copy]". */
export interface ActionPhrasing {
  /** The words that announce the action. */
  ways: Phrasing;
  /** Where the text of the task begins: at the phrasing itself, or behind it. */
  begins: 'with' | 'behind';
  /** Words that are put before the text of the task. */
  lead?: string;
}

/** Patterns for the words before a requested action. */
const BEFORE_A_REQUEST = [
  'please',
  '(can|could|would|will) <somebody>',
  '(want|need) <somebody> to',
  '(would|will) like <somebody> to',
  '(would it be|is it) possible [for you] to',
  'would you be able to',
  'would you mind',
  '(appreciate it|great|nice|good|helpful|lovely|kind|grateful|wonderful) if you (could|would)',
  '(hoping|hope) [that] you (can|could|will|would)',
  '(do not|never) forget to',
  '^ remember to',
  'you (need|have|ought|are supposed) to',
  'you (must|should)',
  'be so kind (as to|and)',
];

/**
 * Requests of callers: "can you send me a copy", "make sure the driver calls", "I want to cancel", "can I have a
 * receipt".
 */
export const REQUESTS: readonly ActionPhrasing[] = [
  {
    ways: compile(...BEFORE_A_REQUEST.map((pattern) => `${pattern} <politely>* &(<action>|<doing>)`)),
    begins: 'behind',
  },
  {
    ways: compile(
      '(^|please|and|just|can you|could you) &((make sure|see to it) _)',
      '(^|please|and|just|can you|could you) &(have (the|your|a|someone|somebody) [_] <comes>)',
      '(^|please|and|just|can you|could you) &(get (someone|somebody|(the|your) _) to)',
      '(^|and|just|but|so) &(<known>|ask (him|her|them|(the|your) _) to)',
    ),
    begins: 'behind',
  },
  {
    ways: compile(
      'i (want|need|would like|have|wish|am calling|am ringing|was wondering if i could|was hoping) to &(<change>)',
      '(can|could) i &(<change>)',
    ),
    begins: 'behind',
  },
  {
    ways: compile('(i (need|want|would like)|(can|could|may) (i|we) (have|get)) &(<a> <given>)'),
    begins: 'behind',
    lead: 'Give the customer ',
  },
];

/**
 * Words of requests for another call: "call me on Monday". `actionableItems` leaves out "you never call me on Monday".
 */
export const CALL_WISHES = compile(
  '&((call|ring|phone|remind|text|email) me (<later>|about|with|after|before|if))',
  '&(give me a (call|ring|bell) <later>)',
);

/** Promises of the agent: "we will send you a copy", "someone will call you". */
export const PROMISES: readonly ActionPhrasing[] = [
  {
    ways: compile(
      '(i|we) (will|shall|am going to|are going to) <politely>* &(<action>|be in touch)',
      'let me <politely>* &(send|forward|email|text|book|order|arrange|transfer)',
      '(i|we) (am|are) <politely>* &(<doing>)',
    ),
    begins: 'behind',
  },
  {
    ways: compile(
      '<they> (will|is going to|are going to|shall) <politely>* (<action>|be in touch)',
      'you will (receive|get|have|be sent|hear from)',
    ),
    begins: 'with',
  },
];

/**
 * Words before a phrasing that make it no request: "I don't need [you to]", "how [could you]", "she said [you have
 * to]".
 */
export const NO_REQUEST = compile(
  '(not|never|no longer|no need for you) (really|actually|even|ever|to|you|want|need|like|think|have|that|i|for|would|should|' +
    'expect|ask)* $',
  '(how|why) $',
  '(said|says|told me|thought|heard|promised|whether|because|when) [that] $',
);
/** Words before a promise that make it conditional, so that it is no task: "if you like, I'll send you one." */
export const CONDITIONAL = compile('(if|unless|whether|in case) _');
