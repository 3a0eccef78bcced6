/** How people say that they want no more calls, as patterns over the words of `wordsOf`, joined by blanks. */

const CALL =
  '(?:call|ring|phone|telephone|contact|dial|bother|disturb|pester|harass|hassle|trouble|bug|spam|irritate)' +
  '(?: (?:or|and|nor) (?:text|email|write to|message|call|ring|phone|contact))?';
const CALLING =
  '(?:calling|ringing|phoning|telephoning|contacting|dialling|dialing|bothering|disturbing|pestering|harassing|hassling|' +
  'annoying|troubling|bugging|spamming|irritating)';
const CALLED = '(?:called|rung|phoned|telephoned|contacted|bothered|disturbed|pestered|harassed|hassled)';
const EVER = '(?: (?:ever|even|please|dare|go|bother|keep|you|try to|be))*';
const YOU =
  '(?:you(?: people| guys| lot| all)?|your (?:company|people|lot|firm)|any(?:one|body)(?: else)?|any of you|them|people)';
/** "Any more of these sales" before "calls". */
const SUCH =
  '(?: (?:any|all|more|further|other|of|the|these|those|your|such|sales|marketing|phone|cold|robo|spam|unsolicited|' +
  'telephone|automated|nuisance|recorded|bloody|damn|stupid))*';
const THE =
  '(?: (?:your|the|this|that|any|all|these|those|every|whatever|of|damn|bloody|stupid|company|entire|whole|call|calls|' +
  'calling|phone|telephone|contact|contacts|customer|client|marketing|mailing|sales|telemarketing|dialling|dialing))*';
const A_LIST = `${THE} (?:lists?|databases?|systems?|records?|register|directory|files?|books|contacts)`;
const MY_NUMBER =
  '(?:my|our|this|that)(?: (?:phone|telephone|mobile|cell|home|cell phone|mobile phone))? (?:number|name|details|contact details)';

/** "I wish you", "I'd rather you": what follows in the past tense is wished for. */
const WISHED = '(?<=(?:if|wish|rather|prefer|that|time|until) (?:you|ye|they)(?: (?:people|guys|all))? )';
/** "I'd like to be removed from", "take my husband off", of a list. */
const TAKEN_OFF =
  '(?:be|get|getting|being|number|name|details) (?:taken (?:off|out of)|removed from|deleted from|struck off|crossed off)';
const TAKE_OTHERS_OFF =
  '(?:take|remove|delete|strike|cross|scrub|wipe) (?:him|her|them|(?:my|his|her|their|our) \\w+(?: \\w+)?) (?:off|from|out of)';

/**
 * What such a wish may have behind it: `anything`; a `clause` of its own, or what the calls are about, but no object
 * ("do not call me John"); `nothing` that it is about; or no less than "again" or "ever" (`ever`).
 */
type Needs = 'anything' | 'clause' | 'nothing' | 'ever';

export interface OptOutWay {
  said: RegExp;
  needs: Needs;
  /** Whether it must say who is not to be called, where it does not say "again" or stop there. */
  hasTarget?: true;
  /** Said before it, this makes it something else. */
  unless?: RegExp;
}

const all = (pattern: string) => new RegExp(`(?<![^ ])${pattern}(?![^ ])`, 'g');

/** "I don't want you to …", "please do not …". */
const NEGATED = /\b(?:not|never)(?: (?:want|like|ask|tell|need|you|to|ever|even|please|just|mean))*$/;
/** What somebody does, rather than what is wished for: "you never call me", "they do not ring". */
export const STATED = /\b(?:you|they|he|she|we|i|who|nobody|why)$/;
/** "They won't stop calling me", of somebody else. */
const GOING_ON = new RegExp(
  [
    '\\b(?:it|he|she|they|who|phone|i|we) (?:will|would|can|could|did|do|does|never|just|have|has|had)(?: not)?(?: ever| just)?$',
    '(?<!\\byou )\\b(?:will|would|can|could|do|does|did) not(?: ever| just)?$',
    '\\bwhy (?:did|do|have|has|would|had) (?:you|they|he|she|it|everybody)$',
    '\\b(?:never|i|he|she|they|we)$',
    '\\bdo not(?: ever)?$',
    '\\bnot (?:want|ask|tell|need|mean) (?:you )?to$',
  ].join('|'),
);
/** "He promised not to call". */
const PROMISED = new RegExp(
  '\\b(?:promised?|agreed?|swore|remember|remind me|trying|try|i was|they were|i am|' +
    '(?:told|tells|advised|asked|warned) (?:me|us)|(?:tell|ask|remind) (?:him|her|them|(?:the|that|my|this) \\w+))$',
);

export const OPT_OUT_WAYS: readonly OptOutWay[] = [
  {
    said: all(`(?:do not|never)${EVER} (?:${CALL}|${CALLING})`),
    needs: 'clause',
    hasTarget: true,
    unless: STATED,
  },
  {
    said: all(`(?:not to|to not|to never|never to)${EVER} ${CALL}`),
    needs: 'clause',
    hasTarget: true,
    unless: PROMISED,
  },
  {
    said: all(
      `(?:you|you people|company|anybody|anyone) (?:(?:must|should|shall|may) not|are not (?:allowed |permitted )?to)${EVER} ${CALL}`,
    ),
    needs: 'clause',
    hasTarget: true,
  },
  {
    said: all(`(?:can|could|would|will) you (?:please|just|kindly) (?:not|never)${EVER} ${CALL}`),
    needs: 'clause',
    hasTarget: true,
  },
  {
    said: all(`(?:rather|if|prefer|prefer it) you (?:do|did|would|could) not${EVER} ${CALL}`),
    needs: 'clause',
    hasTarget: true,
    unless: /\b(?:what|and|but|so)$/,
  },
  {
    said: all(`you (?:do not|never ever|can not|could not|will not|would not)${EVER} ${CALL}`),
    needs: 'ever',
  },
  { said: all(`(?:can|could|would|will) you not${EVER} ${CALL}`), needs: 'ever' },
  {
    said: all(
      `(?:stop|${WISHED}stopped|quit|cease|enough (?:of|with)|refrain from|no more)` +
        '(?: (?:(?:texting|emailing|spamming) (?:and|or)|bloody|constantly|always|ever|with|the|this|all|your))*' +
        ` ${CALLING}`,
    ),
    needs: 'anything',
    unless: GOING_ON,
  },
  {
    said: all(
      `(?:(?:stop|no (?:more|further)|enough (?:of|with)|end)(?: it)?(?: making| with| getting| receiving)?${SUCH} calls|` +
        '(?:these|the|your|those|all)(?: \\w+)? calls (?:(?:have|need|has|must|got) )?(?:to )?stop)',
    ),
    needs: 'clause',
    unless: /\b(?:had|got|gotten|received|have|has|were|are|was|been|get|not|never|to)$/,
  },
  {
    said: all(
      `(?:not|never|no longer)(?: (?:really|actually|even|ever|particularly))* ` +
        `(?:be )?(?:want|wish|need|like|care|consent|agree|expect|appreciate)(?:ing)?` +
        `(?: for)?(?: ${YOU} (?:to${EVER} (?:${CALL}|${CALLING})|${CALLING})| to (?:be|get|keep being|keep getting) ${CALLED}| being ${CALLED}` +
        `|(?: to(?: (?:receive|get|have|take|hear|accept|be getting|keep getting))?)?${SUCH} calls| to hear from ${YOU})`,
    ),
    needs: 'clause',
    unless: /\b(?:(?:do|did|would|can|could) you|they (?:do|did)|why (?:do|did|would) you)$/,
  },
  {
    said: all(`(?:rather|prefer|like|want|wish|choose|ask|asked) not (?:to )?(?:be|get) ${CALLED}`),
    needs: 'clause',
  },
  { said: all(`(?:am|are|be|get|is) not ${CALLED}`), needs: 'ever' },
  {
    said: all(
      `(?:take|taking|remove|removing|get|getting|strike|scratch|drop|delete|cross|keep|want) (?:(?:me|us|it|${MY_NUMBER}) )?` +
        `(?:off|from|out)(?: of)?${A_LIST}`,
    ),
    needs: 'anything',
    unless: NEGATED,
  },
  {
    said: all(
      `(?:${TAKEN_OFF}|${TAKE_OTHERS_OFF}|not(?: (?:want|wish|like|supposed|to|be|even))* on)` +
        `(?= (?:your|this|any|the call|the calling|the marketing))${A_LIST}`,
    ),
    needs: 'anything',
    unless: /\b(?:not|never)(?: (?:want|wish|like|ask|need|to|be|mean))*$/,
  },
  {
    said: all(
      '(?:not|never|withdraw|revoke)(?: (?:have|give|gave|given|got|any|you))*' +
        ` (?:my |any |our )?(?:permission|consent|authori[sz]ation) to ${CALL}`,
    ),
    needs: 'clause',
    hasTarget: true,
  },
  { said: all('(?:no|any) (?:further|more) contact'), needs: 'clause' },
  {
    said: all(`(?:(?:take|taking) (?:me|us|${MY_NUMBER}) off|(?:remove|removing) (?:me|us))`),
    needs: 'nothing',
    unless: NEGATED,
  },
  {
    said: all(`(?:lose|losing|delete|deleting|remove|removing|erase|forget|bin|block) ${MY_NUMBER}`),
    needs: 'nothing',
    unless: new RegExp(`${NEGATED.source}|\\b(?:you|they|i|always|did \\w+)$`),
  },
  {
    said: all(
      '(?:on|onto|to|in|with)(?: (?:your|the|this|that|a|any|national|internal|company))*' +
        ' (?:(?:do not|no|do not contact|never) call(?:s|ing)?(?: me)? (?:list|registry|register|database)|telephone preference service|t p s|tps)',
    ),
    needs: 'anything',
    unless: NEGATED,
  },
  {
    said: all('(?:leave|leaving) (?:me|us|my family) (?:alone|be|in peace)'),
    needs: 'anything',
    unless: NEGATED,
  },
  {
    said: all(
      `(?:unsubscribe|opt(?:ing)? (?:me |us )?out)(?: (?:me|us|${MY_NUMBER}))?` +
        `(?: (?:from|of)(?:${A_LIST}|${SUCH} calls| this| it| everything| all of (?:it|this|that)))?`,
    ),
    needs: 'nothing',
    unless: NEGATED,
  },
  {
    said: all('(?:revoke|revoking|withdraw|withdrawing|retract) (?:my|any|all|our) (?:consent|permission)'),
    needs: 'nothing',
    unless: NEGATED,
  },
];
