import { phrasings } from '../playbook/phrasing.js';

/*
 * What people say on the telephone that a lexicon of social media does not know, or takes for something else.
 */

const says = phrasings({
  great: 'great|brilliant|perfect|wonderful|fantastic|lovely|marvellous|charming|super',
  very: 'very|so|really|too|quite|extremely|ever so|stone|absolutely',
  bad:
    'cold|dirty|late|rude|slow|stale|raw|filthy|unfriendly|useless|hopeless|poor|noisy|wrong|broken|damaged|missing|' +
    'tasteless|disgusting|overcooked|burnt|unprofessional',
  kind: 'kind|helpful|friendly|patient|polite|good|nice|pleasant|professional|understanding|quick|fast|easy|smooth',
  thing:
    'it|they|everything|he|she|food|soup|meal|room|service|staff|driver|waiter|waitress|delivery|order|coffee|' +
    'bathroom|place|quality|parcel|agent|girl|man|woman|lady|guy',
  was: 'was|were|is|are|arrived|came|has been|have been',
  opener: 'yes|yeah|yep|no|nope|okay|ok|sure|well|oh|right|hi|hello|hey|dear',
  nobody: 'nobody|no one|none of you',
  trouble:
    'problems?|worry|worries|complaints?|issues?|trouble|bother|harm|doubts?|regrets?|objections?|hard feelings|pain|' +
    'hassle|concerns?|difficulty|difficulties|inconvenience|fuss|drama|rush|hurry',
});

/** Thanks and praise that are meant the other way round. */
export const MOCKING = says(
  '(thanks|thank you) [a lot] for (nothing|wasting)',
  '(oh|well) [that is|this is] [just] <great> ($|now|another|just|here|is not|so|that is all)',
  'just <great> (is not it|now)',
  '<great> just <great>',
  '(fat|lot) of good',
  'how (nice|kind|lovely) of you to [finally|at last]',
);

/** Said by those who are angry, or let down. */
export const ANNOYED = says(
  'stop (calling|wasting)|leave me alone|(take|remove) me (off|from)',
  '(not|un) acceptable|unacceptable|waste of [my|our] (time|money)|(wasting|waste|wasted) my time',
  'fed up|sick (of|and tired)|had (it|enough)|end of my (tether|rope|patience)|(losing|lost) my (patience|temper)|' +
    'run out of patience|lost for words|speechless',
  '(a|what a|complete|total) (joke|shambles|nightmare|mess|rip off|con|farce|circus)|rip off|ripped off|useless|hopeless|ashamed',
  'not (impressed|happy|pleased|satisfied|good enough|worth|fair|what (i|we) (ordered|asked for|wanted|paid for|expected)|on)',
  'can not believe (this|it|that you)|do not trust|expected (better|more) [from|of]|regret [ever]|could have been (better|nicer)',
  'never (buy|use|order|shop|come|go|eat|stay) [_] [_] [_] again|(will|would) not (be coming|be going|be|come|go) back',
  '<nobody> [ever|even|has] (listens|helps|helped|calls|called|came|comes|answers|answered|turned up|showed up|cares|tells|' +
    'told|responds|replied|replies|knows|bothered|apologised|apologized|explained|got back|has got back)',
  'never (arrived|turned up|showed up|called [me|us] back|called (me|us)|received|came|got back to|heard back|delivered|' +
    'got (it|my|our|the))',
  '[been|was|am] (waiting|on hold) (for|since|all|#)|waited (all|for|hours|days|weeks|ages|over|more)|' +
    '(took|takes|taken|taking) (forever|ages|so long|too long|hours|weeks|far too)',
  'still (nothing|waiting|not|no|broken)|(second|third|fourth|fifth|tenth|hundredth) time (i|you|this|we|in)|how many times|' +
    'over and over|yet again|again and again|every single time',
  '(want|demand|give me|get) (a|my|our|the) [full] (refund|money back)|overcharged|charged (me|us) (twice|double|too much|for)|' +
    'too expensive|(make|file|lodge) a complaint|going to complain',
  '<thing> <was> <very>* <bad>|<very> (cold|dirty|rude|late) again',
  '(it|they) [just] (broke|fell apart|stopped)|(does|do|did|is|are|has) not (work|working|worked)|stopped working|nothing works|' +
    '(got|get) [my|our|it|the] [_] wrong|hung up on|(arrived|came|was|were|is) (broken|damaged|faulty)',
  '(keeps|you keep|they keep|i keep (getting|having|being|receiving)) _|(crashes|crashed|crashing|leaks|leaking|freezes|fails)',
  'you (said|promised|told me|told us|swore|assured me) [that] (it|you|they|this|somebody|someone|he|she) would|' +
    'not what (you|they|i was|we were) [had] (told|said|promised|agreed)',
  '(have|had) to wait|what kind of (company|service|place)|without (asking|telling)|not want to deal|passed from|(did|do|does) not (show up|turn up|call back|listen|care)|never works|(week|weeks|day|days|hour|hours|month) late|' +
    'let (me|us) down|not feel|(scratched|dented|broke|ruined|damaged|lost) my|take so long|(zero|one) stars?|elsewhere|robbery',
  'nothing but (trouble|problems|excuses|lies)|last straw|not paying|left waiting|(what is|whats) the point|' +
    '(called|rung|phoned|written|asked|emailed) [you] [_] (two|three|four|five|six|several|many|ten|#) times',
  '(far|way|much) too _|too (high|loud|late|small|big|much|many|slow)|not [think] [that|this|it] [is|was] (fair|right|okay)',
  '(so|this|too|very) (difficult|complicated|confusing|hard)|worst|terrible|a disgrace',
  '(are you|(must|got to) be) (kidding|joking) [me]|how dare you|enough is enough|good riddance|never again',
);

/** Said by those who are glad. */
export const PLEASED = says(
  'really looking forward|accommodating|(is|was) a star|over the moon|first rate|saved (me|us)|what (i|we) (was|were) looking for|made my day|music to my ears|spot on|top notch|first class|second to none|to die for|like clockwork|' +
    'like a charm|five stars?|[two] thumbs up|keep up|(weight|load) off my|lifesaver|hats off|above and beyond',
  'can not (thank you|praise you) enough|can not fault|could not fault|nothing but (praise|good)|nothing to complain|' +
    'can not complain|no complaints from me (it|that|everything|all)|exceeded (my|our|all)',
  'better than (expected|i expected|i thought|i had hoped)|easier than (i|expected)|' +
    '(just|exactly) what (i|we) (needed|wanted|hoped)|much better|(that is|is|what) a relief',
  'could not (be|agree|ask for|have _|have asked for|wish for) [any|anything] (more|better|happier|nicer|simpler|easier|quicker|smoother|kinder)|' +
    '(never|not) been (better|happier)|not [a|so|too|half] bad [at all]',
  '(would|will|i will|shall) [definitely|certainly|gladly] (recommend|use you again|come back|be back|order again|come again)|' +
    'recommend you',
  '[right] on time|(went|all went|it went) (really|very|so)* (well|smoothly)|<very> <kind>|that was (quick|fast|easy|kind|nice)|smoothly',
  '(thanks|thank you) (so much|very much|a million|a lot|a bunch|ever so)|really appreciate|impressed|' +
    '(whale of a|great|lovely|good|wonderful) time [was] had|had a (whale of a|great|lovely|good|wonderful|nice) time|' +
    '[an|a] (absolute|real|total|proper) (gem|star|legend|angel|pleasure|joy|treat)|out of your way|not change a thing|well done|' +
    'thanks to (you|your)|(everything|it all|all) (went|worked|was|is) [just|absolutely|really] (fine|well|great|good|lovely|' +
    'perfect|perfectly|brilliant)|my compliments|pleasure doing|works perfectly',
);

/** Words that the lexicon weighs, and that say nothing about how somebody feels where they stand. */
export const SAYS_NOTHING = says(
  '(no|without [any]|(not|never) [_] [_] [_] (a|an|any|the least|the slightest)) ' +
    '[big|real|great|more|other|such|particular|major] <trouble> [done] [at all|whatsoever]',
  'please|(thanks|thank you)|no (thanks|thank you)|sorry [about that]|excuse me|want|would (like|love)|prefer|number|cancel|hold',
  '[that|it|this|everything|either|both|all] (is|would be|will be|was|are) (fine|ok|okay|alright|all right|right|correct|ok)',
  '(a|is|the|no|not) (good|great|bad|better|best|fine|perfect|ideal|free) (time|day|moment|number)',
  '(good|better|best|fine|great|perfect|convenient|easier|free) (for|to call|to ring|on|at|in|parking|delivery|of charge|after|before|would)',
  '(can|could|would|will) you help|pay|would be (good|great|fine|perfect|lovely|better|best|ideal|nice)|_ at _ dot _|need [some] help|help (me|us) with|credit (cards?|note)|good (morning|afternoon|evening|day)',
  '(fine|ok|okay|alright|sure|right) $|(second|first|third) (of|thank)|(a|for|to|miss|with) (joy|grace|hope|faith|grant|merry)',
  '^<opener> <opener>*',
);
