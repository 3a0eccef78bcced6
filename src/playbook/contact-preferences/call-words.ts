import { phrasingCompiler } from '#language/phrasing.js';

/**
 * Classes of words about calls and callers, for recognising an opt-out: a caller's wish for no more calls. A phrasing
 * of the opt-out rules names a class as `<call>`; a class may name other classes. The notation is that of `Phrasing`.
 */
const CALL_WORDS = {
  /** One verb for calling, or for what unwanted calls do to a person. */
  ring: 'call|ring|phone|telephone|contact|dial|bother|disturb|pester|harass|hassle|trouble|bug|spam|irritate',
  /** The same verb, alone or with another: "call or text". */
  call: '<ring> [(or|and|nor) (text|email|write to|message|<ring>)]',
  /** Not "calling in sick" or "calling you". */
  calling:
    'calling !(out|in sick|off|names|attention|around|round|you)|ringing|phoning|telephoning|contacting|dialling|dialing|bothering|disturbing|pestering|harassing|' +
    'hassling|annoying|troubling|bugging|spamming|irritating',
  /** Verbs that mean a call without an object, and "contact me": "I wish you wouldn't phone". */
  dial: 'call|ring|phone|telephone|contact (me|us|anybody here)|dial',
  /** Verbs that may mean a call: "don't try me again". Their rule requires "again" or "ever". */
  reach:
    'try &(<target>)|reach &(<target>)|reach out [to]|get in touch [with]|get hold of|approach|make contact [with]',
  called: 'called|rung|rang|phoned|telephoned|contacted|bothered|disturbed|pestered|harassed|hassled',

  /** Words between "don't" and "call". */
  ever: 'ever|even|please|dare|go|bother|keep|you [people|guys|folks]|(try|attempt) to|be',
  /** Verbs between a "not" and an opt-out, which the "not" negates: "I don't want you to stop calling". */
  may: 'want|wish|like|ask|tell|need|mean',
  /** The party that calls, as the object of a sentence: "I'm sick of them". */
  you:
    'you [people|guys|folks|lot|all]|your (company|people|lot|firm)|(anybody|anyone|nobody|no one) [else]|' +
    '(any|none|somebody|someone|anybody|anyone|nobody|no one) (of you|from _ _)|them|people|' +
    '(any|some|a|your|the) (robots?|machines?|computers?|bots?)',
  /** The party that calls, as the subject of a sentence: "you are not allowed". */
  them: 'you [people|guys|folks|lot|all]|your (company|people|lot|firm)|they',
  to_call: '(to <ever>* <call>|[in|for] <calling>)',
  /** Expressions of weariness: "I'm sick of …". */
  tired:
    '(tired|sick|fed up|done|finished|had enough|had it) (of|with)|not (happy|pleased|comfortable|okay|ok) (with|about)',
  rings: 'calls|rings|phones|telephones|contacts|bothers',

  /** Words before the noun "calls": "any more of these sales calls". */
  such:
    'any|all|more|further|other|another|single|one|a|of|the|these|those|your|such|sales|marketing|phone|cold|robo|' +
    'spam|unsolicited|telephone|automated|nuisance|recorded|robot|promotional|unwanted|constant|bloody|damn|stupid',
  calls: 'calls|robocalls|(another|single|one more|more|further) call !(back)',

  /** Verbs for removing from a list. */
  remove:
    'remove|removing|strike|scratch|drop|delete|deleting|erase|erasing|wipe|block|cross|scrub|purge|exclude|deregister|unsubscribe',
  /** Verbs of removal that need "off" or "from": "take me off your list". */
  take: 'take|taking|get|getting|keep',
  removed:
    'taken (off|out of)|(removed|deleted|erased|wiped|scrubbed|purged|excluded) from|(struck|crossed) off',

  /** A number or name without its owner; `number` below includes the owner: "my number". */
  thing: '[old|new] [phone|telephone|mobile|cell|home|cell phone|mobile phone] (number|name|details)',
  number:
    '([all|both] (my|our)|this|that) (contact details|[phone|telephone|mobile|cell|home|cell phone|mobile phone] (numbers?|name|details))',
  /** People of the speaker's household or work: "leave my wife alone". */
  person:
    'husband|wife|partner|spouse|mother|father|mum|mom|dad|son|daughter|kids?|children|parents?|family|sister|' +
    'brother|grandmother|grandfather|grandma|grandpa|aunt|uncle|boss|girlfriend|boyfriend|roommate|tenant',
  list:
    '(your|the|this|that|any|all|these|those|every|whatever|of|damn|bloody|stupid|company|entire|whole|call|calls|' +
    'calling|reminder|reminders|phone|telephone|contact|contacts|customer|client|marketing|mailing|sales|telemarketing|dialling|dialing)* ' +
    '(lists?|databases?|systems?|records?|register|directory|files?|books|contacts|computers?|diallers?|dialers?|campaigns?)',

  /** A calling list, as opposed to a list of guests or books. */
  yours: '(your|this|any|all|the call|the calling|the marketing) <list>',

  /** The person or number that must not be called. */
  target:
    '(me|us|here|this (number|phone|line|house)|' +
    '(my|our) (number|house|home|phone|mobile|cell|landline|line) [phone|number]) ' +
    '[here|at this number|on this (number|phone|line)]',
  /** Other people and things that must not be called: "don't call my wife again". */
  others: '(him|her|them|it|(my|our) _) [[_] (house|number|phone)]',
  authority: 'the police|the cops|the authorities|(my|a) (lawyer|solicitor|attorney)',
  /** Threats of a caller for the case of another call. */
  threat:
    'report|sue|complain|scream|block|hang up|take (legal action|action|you to court)|press charges|' +
    '(call|phone|ring|contact|get|tell|inform|go to) <authority>|' +
    'lose my (temper|patience|mind|cool)|go (mad|crazy|insane)|get (angry|mad|nasty)|(file|make|lodge) a complaint',
  /** The whole threat: "I will report you", "I am calling my lawyer". */
  threaten:
    '(i|we) (will|shall|would|am going to|are going to|swear|have to) [have to] <threat>|(i|we) (am|are) (reporting|suing|going [straight] to <authority>|(calling|phoning|contacting|getting|telling) <authority>)|' +
    '<hears>',
  /** Authorities that the caller threatens to inform of another call. */
  hears:
    '<authority> (will|is going to|are going to) (hear|know|learn|be (told|informed|called|contacted)|get involved)',
  title: 'sir|madam|mister|miss',

  /** Keys that recordings ask for: "press nine", "reply stop". */
  press: 'press|push|hit|dial|enter|select|key in|type|say|reply|text',
  key:
    '[the] [number|key|button|digit|word] (#|zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash|stop) ' +
    '(#|zero|one|two|three|four|five|six|seven|eight|nine|key|button|now|please|at any time)*',

  again: 'again|anymore|any more|any longer|no more|ever',
  /** Words that make an opt-out permanent. */
  for_ever:
    '<again>|[any] further|at all|at any time|any time|in [the] future|from now on|for any reason|for good|' +
    'on this (number|phone|line)|at this number|under any circumstances',
  hour: '#|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  day: 'monday|tuesday|wednesday|thursday|friday|saturday|sunday',
  days: '<day>|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays',
  period: 'night|day|morning|afternoon|evening|week|weekend|month|year|hour|<day>',
} as const;

/** Compiles patterns with the classes above, for the opt-out rules and their exceptions. */
export const callPhrasing = phrasingCompiler(CALL_WORDS);
