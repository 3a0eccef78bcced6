import { widePhrasing } from './possible-opt-out-words.js';

/*
 * Everyday talk about calls, numbers and lists that is no opt-out. `possible-opt-out.ts` uses these phrasings so that
 * the agent does not ask every caller who mentions a call whether they want no more calls.
 */

/** Talk about calls that is cut out of an utterance before the test for a possible opt-out. */
export const UNRELATED_TALK = widePhrasing(
  // The speaker calls: "I'll call you", "I never called".
  '(i|we) (will|would|can|could|did|do|may|might|must|should|need|want|have|had|like|tried|try|going|forgot|not|never|just|' +
    'only|already|to|always|also|even|then|rather|better)* (<call>|<calling>)',
  '(i|we) (have|had|just|already|never|not|only|even|did)* <called>',
  'let (me|us) [not] <call>',
  '(i|we) take (my|work|phone)* calls',
  '(makes?|making) (the|my|many|so|work|phone|all)* calls',
  '(with|about|of|waiting for) <calling>',
  '<call> (myself|yourself|himself|herself|ourselves)',
  // Another person calls: "the nurse never called", "my boss keeps calling".
  '(you [guys|people|lot|folks|all]|they|he|she|nobody|no one|somebody|someone|who|it|people|(my|the|our) _) ' +
    '(have|has|had|did|do|does|will|would|was|were|is|not|never|just|only|already|even|ever)* ' +
    '(<called>|rings|calls|<call> !(again|anymore|any more))',
  'your _ (never|do not|does not) <call> !(again|anymore|any more)',
  '(someone|somebody|he|she|they|(my|the) _) [else] (is|are|was|were) <calling>',
  '(my|the|our) _ keeps <calling>',
  '(tell|ask|let) (him|her|them|(the|my) _) [to] (<call>|<calls>)',
  '(tell|ask|let) my _ (not|never|to)* (<call>|<calls>)',
  '(nobody|no one) can',
  // Questions whether or why a person calls.
  '(why|when|how|if|unless) (did|do|does|not|never|you|he|she|they|i|we|nobody|no one|ever|even)* (<call>|<called>)',
  '(why|when|how) (did|do|does) (you|they|he|she) stop [<calling>]',
  '(did|does|have|has) (you|he|she|they|i|we|nobody|no one) (ever|even|not|never)* (<call>|<called>)',
  '(who|what) (is|are|was) (<calling>|this)',
  // Things not heard, seen or known.
  '(can|could) not (take|answer|make|get|receive|pick up|hear|talk|speak|reach|find|remember|read)',
  'not (answer|take|pick up|return|hear) (your|the|a|my|that|this|last)* (call|phone)',
  '((did|do|does|have|had|has) not|never|(i|we) (have|had)|not want to) (ever|even|really)* (get|got|gotten|receive|received|' +
    'hear|heard|see|saw|miss|missed|notice|noticed|had|mind|minded|forget|hesitate|worry|remember|recognise|recognize|' +
    'recall|expect|wait for|know|know of) ' +
    '[[about] (a|any|another|the|this|that|your|my|his|her|of|to|if|you|such|last|previous|other|earlier|first|phone|' +
    'more)* (<calls>|<number>|<listed>)]',
  'keep missing [(your|the|these)] [calls]',
  '(take|answer|return) my calls?',
  '(with|waiting for) (your|the|a|these) calls?',
  'no [more] calls (came|were|have|had|yet|today|from _ yet)',
  '(had|got|were|was|received|made|are|have) no more calls',
  '(are|were|had|made|see|have) no calls',
  // Calls that are welcome or go on.
  'calls (are|were) (always|very|most|quite|really|all)* (welcome|fine|ok|okay|helpful|good|useful|nice)',
  '(thanks|thank you|happy|fine|okay|ok|glad|agreed?|consent|like|love) (for|with|to|you)* ' +
    '(<calling>|(get|getting|receive) (your|these|the)* calls)',
  '(i|we) (asked|signed up|subscribed|applied) for [(the|these|your)] [calls]',
  '[phone] call (is|would be|will be) (fine|okay|ok|better|good|great|best|enough)',
  '^(please|yes|ok|okay|do|no)* keep <calling>',
  '(need|have|has) (the|a|any|our|your|my)* <consent>',
  '(i|we) [do] (give|grant) [you|them] (the|a|any|our|your|my)* <consent>',
  '(need|have) [(you|anybody|anyone|someone) to|to|a] call [me|us] back',
  // Things that do not stop or have stopped, other than calls of this service.
  '(^|please|!(you) _ (will|would|can|could|do|does|did)|do) not (stop|quit) [<calling>]',
  '(i|we) (never|not|can|could|do|did|just)* stop [<calling>]',
  '(not|never) (want|wish|like|mean|need|ask|tell|told|asked|asking|telling|say|said) [you] to (stop|quit) [<calling>]',
  'you stopped <calling>',
  '(want|wants|wanted|need|needs|get|got|asked|told|make) (my|his|her|our) !(to|please) _ to (stop|quit) [<calling>]',
  'stop (the !(reminders)|taking|working|smoking|eating|drinking|going)',
  'stop (what|who|which|wait|hold|let)',
  '(stopped|stop) ringing !(me|us|here|this|my|our)',
  'and (phone|call|ring) !(me|us|here|again)',
  'enough (time|money|room|people|of those|left|to)',
  '(not|never) (ask|tell|told|say|said|mean|want|asked|saying|telling) (you|them|that|to|do|should)* not',
  'not saying (that|you|not|never|to|should)*',
  '(you|they|he|she) (did|do|does) not (ask|want|say|need|like)',
  // Calls and phones as things.
  '(on|in|have|had|got|expecting|between|make|making|take|taking|with) (a|an|another|the|my) ' +
    '(phone|conference|work|important|quick|other)* (call|phone)',
  '(phone|telephone|conference|video|zoom|work) calls? (with|to|from (my|the|work))',
  'about (the|that|your|a) call',
  'work calls',
  'on call',
  '(the|a|my) phone !(calls?|number)',
  'your phone',
  '(i|we|he|she) (do|does|can|could|did) not use',
  '(a|my|the|any|other) contacts? !(with|from)',
  // Numbers and lists.
  'not (my|the|a|an|your|his|her|that|our|it|in my|in the|any|to) (right|same|best|only|real|actual|home|work|mobile|cell|' +
    'new|old|phone)* (<number>|list|mobile|one)',
  'not (have|got|find|know|see|remember|recall|recognise|think of|need|want) (my|the|a|an|your|his|her|that|our|any|its|on)* ' +
    '(right|same|other|phone|mobile|account|card|order|customer|reference|ticket|invoice|policy|house)* (<number>|list)',
  'number (is|was|has|had|ends|starts|begins|does|should be|would be|must be) [not] ' +
    '(in|with|the same|changed|one !(to|for|that)|two|three|four|five|six|seven|eight|nine|zero|oh|double|triple|#|wrong|' +
    'right|mine|correct|working)',
  'number of',
  '(which|what) number',
  '(you|they|i|we) (can|could|should|may|might|must|will|would) [just|also|always] (get|take)',
  '(was|were) [not] (removed|deleted|erased|blocked)',
  '(waiting|shopping|guest|wish|price|class|school|medication) list',
  'do not call (list|register)',
  'phone book',
  // Other uses of "call": naming, third parties, other times.
  '(<call>|<calling>) (a|an|it|in sick|off|out|the|him|her|them|you|people|strangers|around|round|for|' +
    'my !(number|phone|home|house|wife|husband|mother|father|mum|mom|dad|line))',
  'called (a|an|names|stupid|sir|madam|doctor|mr|mrs|ms|miss)',
  'not call me !(again|back|please|ever|here|anymore|any|at|on|for|from|in|about|with|to|and|or|so|it|i|you|thanks|thank|ok|' +
    'okay|like|this|that|no|just|never|because|sorry) _ [_] $',
  '<call> (me|us) (now|at home)',
  '(text|email|write|write to) (me|us) [just|please] <call>',
);

/** Requests and questions of another kind: a new number, another way of contact, "did you …?". */
export const OTHER_REQUEST = widePhrasing(
  '(new|different|instead|another number|other (one|number)|rather than)',
  '(^|please|just|you can|you could|better|but|and) (use|try|call me|ring me|phone me|change)',
  '(please|do|can you|could you|would you|you can|you may|happy for you to|feel free to) <call> (me|us|again|back|my)',
  'not <call> _ _ [just|please|but] <call>',
  '(use the|by (email|text|mail|post))',
  '^(did|have|has|do|does|were|was|shall|should) (you|i|we|they|he|she|it|true)',
  '^is it',
  '(did|have|are) you $',
);

/** Limits of a wish to a time or place. */
export const LIMITED_WISH = widePhrasing(
  '(before|until|till|til|unless|except|between|during|while|whenever|today|tomorrow|tonight|early|late)',
  'after !(all|that|this)',
  '(on|next|this) (monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|afternoon|evening|weekend)',
  'next (week|month|year)',
  'on (mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays)',
  'at (work|night|lunch|noon|the (office|moment|weekend)|#|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|' +
    'school)',
  'on a',
  '(in|at) the (mornings?|afternoons?|evenings?|nights?|weekends?)',
  '(right|just) now',
);
