import { phrasingCompiler, matches, toMatchText } from '#language/phrasing.js';
import vader from 'vader-sentiment';
import { wordsOf } from '#language/words.js';
import { SENTIMENTS } from './analysis.js';

/*
 * English phrasings of customers on the telephone. The sentiment lexicon (vader) was made for social media and misses
 * or misjudges them; `sentimentOf` scores them first. `phrasing.ts` explains the notation.
 */

const compile = phrasingCompiler({
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

/** Ironic thanks and praise. */
const MOCKING = compile(
  '(thanks|thank you) [a lot] for (nothing|wasting)',
  '(oh|well) [that is|this is] [just] <great> ($|now|another|just|here|is not|so|that is all)',
  'just <great> (is not it|now)',
  '<great> just <great>',
  '(fat|lot) of good',
  'how (nice|kind|lovely) of you to [finally|at last]',
);

/** Phrases of angry or disappointed customers. */
const ANNOYED = compile(
  // Demands to stop.
  'stop (calling|wasting)|leave me alone|(take|remove) me (off|from)',
  '(wasting|waste|wasted) (my|our) (time|money)|waste of [my|our] (time|money)',
  'fed up|sick (of|and tired)|had (it|enough)|end of my (tether|rope|patience)|last straw|not want to deal',
  '(losing|lost) my (patience|temper)|run out of patience|lost for words|speechless|can not believe (this|it|that you)',
  // Opinions.
  'not acceptable|unacceptable|useless|hopeless|ashamed|worst|terrible|a disgrace|robbery|rip off|ripped off',
  '(a|what a|complete|total) (joke|shambles|nightmare|mess|con|farce|circus)|what kind of (company|service|place)',
  'not (impressed|happy|pleased|satisfied|good enough|worth|fair|on)',
  'not what (i|we) (ordered|asked for|wanted|paid for|expected)|not [think] [that|this|it] [is|was] (fair|right|okay)',
  'do not trust|expected (better|more) [from|of]|regret [ever]|could have been (better|nicer)|not feel|let (me|us) down',
  '(so|this|too|very) (difficult|complicated|confusing|hard)|(what is|whats) the point|(zero|one) stars?',
  'never (buy|use|order|shop|come|go|eat|stay) [_] [_] [_] again|(will|would) not (be coming|be going|be|come|go) back|' +
    'elsewhere|not paying',
  // Broken promises.
  '<nobody> [ever|even|has] (listens|helps|helped|calls|called|came|comes|answers|answered|turned up|showed up|cares|tells|' +
    'told|responds|replied|replies|knows|bothered|apologised|apologized|explained|got back)',
  'never (arrived|turned up|showed up|called [me|us] back|called (me|us)|received|came|got back to|heard back|delivered|' +
    'got (it|my|our|the)|works)',
  '(did|do|does) not (show up|turn up|call back|listen|care)|hung up on|without (asking|telling)',
  'you (said|promised|told me|told us|swore|assured me) [that] (it|you|they|this|somebody|someone|he|she) would',
  'not what (you|they|i was|we were) [had] (told|said|promised|agreed)|nothing but (trouble|problems|excuses|lies)',
  // Delays and repetitions.
  '[been|was|am] (waiting|on hold) (for|since|all|#)|waited (all|for|hours|days|weeks|ages|over|more)|(have|had) to wait|left waiting',
  '(took|takes|taken|taking) (forever|ages|so long|too long|hours|weeks|far too)|take so long|' +
    '(week|weeks|day|days|hour|hours|month) late|still (nothing|waiting|not|no|broken)',
  '(second|third|fourth|fifth|tenth|hundredth) time (i|you|this|we|in)|how many times|over and over|yet again|' +
    'again and again|every single time|passed from',
  '(called|rung|phoned|written|asked|emailed) [you] [_] (two|three|four|five|six|several|many|ten|#) times',
  '(keeps|you keep|they keep|i keep (getting|having|being|receiving)) _',
  // Costs.
  '(want|demand|give me|get) (a|my|our|the) [full] (refund|money back)|overcharged|charged (me|us) (twice|double|too much|for)',
  'too expensive|(make|file|lodge) a complaint|going to complain|(far|way|much) too _|too (high|loud|late|small|big|much|many|slow)',
  // Defects.
  '<thing> <was> <very>* <bad>|<very> (cold|dirty|rude|late) again|(got|get) [my|our|it|the] [_] wrong',
  '(it|they) [just] (broke|fell apart|stopped)|(does|do|did|is|are|has) not (work|working|worked)|stopped working|nothing works',
  '(arrived|came|was|were|is) (broken|damaged|faulty)|(scratched|dented|broke|ruined|damaged|lost) my',
  'crashes|crashed|crashing|leaks|leaking|freezes|fails',
  '(are you|(must|got to) be) (kidding|joking) [me]|how dare you|enough is enough|good riddance|never again',
);

/** Phrases of pleased customers. */
const PLEASED = compile(
  'over the moon|made my day|music to my ears|spot on|top notch|first (class|rate)|second to none|to die for|hats off',
  'like clockwork|like a charm|five stars?|[two] thumbs up|keep up|(weight|load) off my|lifesaver|above and beyond|well done',
  'can not (thank you|praise you) enough|(can|could) not fault|nothing but (praise|good)|nothing to complain|can not complain',
  'no complaints from me (it|that|everything|all)|exceeded (my|our|all)|what (i|we) (was|were) looking for',
  'better than (expected|i expected|i thought|i had hoped)|easier than (i|expected)|much better|(that is|is|what) a relief',
  '(just|exactly) what (i|we) (needed|wanted|hoped)|saved (me|us)|out of your way|not change a thing|accommodating',
  'could not (be|agree|ask for|have _|have asked for|wish for) [any|anything] ' +
    '(more|better|happier|nicer|simpler|easier|quicker|smoother|kinder)',
  '(never|not) been (better|happier)|not [a|so|too|half] bad [at all]|really (appreciate|looking forward)|impressed',
  '(would|will|i will|shall) [definitely|certainly|gladly] (recommend|use you again|come back|be back|order again|come again)',
  'recommend you|my compliments|pleasure doing|works perfectly|thanks to (you|your)|(is|was) a star',
  '[right] on time|(went|all went|it went) (really|very|so)* (well|smoothly)|smoothly|<very> <kind>',
  'that was (quick|fast|easy|kind|nice)|(thanks|thank you) (so much|very much|a million|a lot|a bunch|ever so)',
  'had a (whale of a|great|lovely|good|wonderful|nice) time|whale of a time',
  '[an|a] (absolute|real|total|proper) (gem|star|legend|angel|pleasure|joy|treat)',
  '(everything|it all|all) (went|worked|was|is) [just|absolutely|really] (fine|well|great|good|lovely|perfect|perfectly|brilliant)',
);

/** Phrases without sentiment, whose words have a weight in the lexicon: they are cut out before it is asked. */
const NO_SENTIMENT = compile(
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

/** The effect of one pleased or annoyed phrase on the score of its sentence, which ranges from −1 to 1. */
const PHRASE_WEIGHT = 0.5;
/** A smaller score of the lexicon for a sentence is ignored. */
const MIN_WORD_SCORE = 0.1;
/** A smaller mean score is neutral, as the authors of the lexicon (vader) recommend. */
const MIN_TEXT_SCORE = 0.05;

/**
 * The sentiment of a call from the customer's turns, in English. The last third of the turns counts twice, because it
 * shows the mood at the end. `analyseCall` uses it.
 */
export function sentimentOf(turns: readonly string[]): (typeof SENTIMENTS)[number] {
  /** The index of the first turn that counts twice. */
  const lateFrom = turns.length - Math.floor(turns.length / 3);
  let sum = 0;
  let weights = 0;
  turns.forEach((turn, index) => {
    const weight = index >= lateFrom ? 2 : 1;
    sum += weight * scoreOf(turn);
    weights += weight;
  });
  const mean = weights === 0 ? 0 : sum / weights;
  if (Math.abs(mean) < MIN_TEXT_SCORE) return 'neutral';
  return mean > 0 ? 'positive' : 'negative';
}

/** The sentiment of one turn, from −1 (negative) to 1. */
function scoreOf(text: string): number {
  const sentences = text.split(/[.!?;]+(?:\s|$)/);
  return bounded(
    sentences.reduce((sum, sentence) => sum + scoreOfSentence(toMatchText(wordsOf(sentence))), 0),
  );
}

/**
 * The sentiment of one sentence, from −1 to 1: known phrasings count first, then the lexicon scores the rest.
 * @param said the sentence in the form of `toMatchText`
 */
function scoreOfSentence(said: string): number {
  if (matches(MOCKING, said)) return -PHRASE_WEIGHT;
  const annoyed = said.match(ANNOYED)?.length ?? 0;
  const calm = said.replace(ANNOYED, '');
  const pleased = calm.match(PLEASED)?.length ?? 0;
  const rest = calm.replace(PLEASED, '').replace(NO_SENTIMENT, '');
  const base = vader.SentimentIntensityAnalyzer.polarity_scores(rest).compound;
  return bounded((Math.abs(base) < MIN_WORD_SCORE ? 0 : base) + PHRASE_WEIGHT * (pleased - annoyed));
}

function bounded(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
