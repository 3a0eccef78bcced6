import { phrasingCompiler, matches, toMatchText } from '#language/phrasing.js';
import vader from 'vader-sentiment';
import { wordsOf } from '#language/words.js';
import { SENTIMENTS } from './analysis.js';

/*
 * The sentiment of English-speaking customers: phrasings of the telephone are scored first, and the sentiment lexicon
 * (vader), which was made for social media, scores the rest. Only what the lexicon misses or misjudges is listed here.
 */

const compile = phrasingCompiler({
  great: 'great|brilliant|perfect|wonderful|fantastic|lovely|marvellous|charming|super',
  very: 'very|so|really|too|quite|extremely|ever so|stone|absolutely',
  kind: 'kind|helpful|friendly|patient|polite|good|nice|pleasant|professional|understanding|quick|fast|easy|smooth',
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
  '<great> just <great>',
);

/** Phrases of angry or disappointed customers. */
const ANNOYED = compile(
  // Demands to stop.
  'stop (calling|wasting)|leave me alone|(take|remove) me (off|from)|(wasting|waste|wasted) [of] [my|our] (time|money)',
  // Opinions.
  'fed up|last straw|enough is enough|good riddance|never again|can not believe (this|it|that you)|how dare you',
  '(a|what a|complete|total) (joke|shambles|nightmare|mess|con|farce|circus)|(are you|(must|got to) be) (kidding|joking) [me]',
  'not [think] [that|this|it] [is|was] (fair|right|okay)|could have been (better|nicer)|let (me|us) down',
  '(what is|whats) the point|(zero|one) stars?|(will|would) not (be coming|be going|be|come|go) back|not paying',
  // Broken promises.
  '<nobody> [ever|even|has] (listens|helps|helped|calls|called|came|comes|answers|answered|turned up|showed up|cares|tells|' +
    'told|responds|replied|replies|knows|bothered|apologised|apologized|explained|got back)',
  'never (arrived|turned up|showed up|called [me|us] back|called (me|us)|received|came|got back to|heard back|delivered|' +
    'got (it|my|our|the)|works)',
  '(did|do|does) not (show up|turn up|call back|listen|care)|hung up on|nothing but (trouble|problems|excuses|lies)',
  'you (said|promised|told me|told us|swore|assured me) [that] (it|you|they|this|somebody|someone|he|she) would',
  'not what (i|we|you|they) [was|were] [had] (ordered|asked for|wanted|paid for|expected|told|said|promised|agreed)',
  // Delays and repetitions.
  '[been|was|am] (waiting|on hold) (for|since|all|#)|left waiting|still (nothing|waiting|not|no|broken)',
  '(took|takes|taken|taking) (forever|ages|so long|too long|hours|weeks|far too)|(week|weeks|day|days|hour|hours|month) late',
  '(second|third|fourth|fifth|tenth|hundredth) time (i|you|this|we|in)|how many times',
  '(called|rung|phoned|written|asked|emailed) [you] [_] (two|three|four|five|six|several|many|ten|#) times',
  '(keeps|you keep|they keep|i keep (getting|having|being|receiving)) _',
  // Costs and defects.
  '(want|demand|give me|get) (a|my|our|the) [full] (refund|money back)|overcharged|too expensive',
  'too (high|loud|late|small|big|much|many|slow)|(does|do|did|is|are|has) not (work|working|worked)|nothing works',
  'crashes|leaks',
);

/** Phrases of pleased customers. */
const PLEASED = compile(
  'music to my ears|first (class|rate)|five stars?|[two] thumbs up|(weight|load) off my|well done|out of your way',
  'can not (thank you|praise you) enough|what (i|we) (was|were) looking for|not change a thing|[right] on time',
  'could not (be|agree|ask for|have _|have asked for|wish for) [any|anything] ' +
    '(more|better|happier|nicer|simpler|easier|quicker|smoother|kinder)',
  '(would|will|i will|shall) [definitely|certainly|gladly] (recommend|use you again|come back|be back|order again|come again)',
  'really (appreciate|looking forward)|<very> <kind>|(thanks|thank you) (so much|very much|a million|a lot|a bunch|ever so)',
  '[an|a] (absolute|real|total|proper) (gem|star|legend|angel|pleasure|joy|treat)',
  '(everything|it all|all) (went|worked|was|is) [just|absolutely|really] (fine|well|great|good|lovely|perfect|perfectly|brilliant)',
);

/** Phrases without sentiment, whose words have a weight in the lexicon: they are cut out before the lexicon is used. */
const NO_SENTIMENT = compile(
  '(no|without [any]|(not|never) [_] [_] [_] (a|an|any|the least|the slightest)) ' +
    '[big|real|great|more|other|such|particular|major] <trouble> [done] [at all|whatsoever]',
  'please|(thanks|thank you)|would (like|love)|cancel|pay|credit (cards?|note)|good (morning|afternoon|evening|day)',
  '[that|it|this|everything|either|both|all] (is|would be|will be|was|are) (fine|ok|okay|alright|all right|right|correct)',
  '(a|is|the|no|not) (good|great|bad|better|best|fine|perfect|ideal|free) (time|day|moment|number)',
  '(good|better|best|fine|great|perfect|convenient|easier|free) (for|to call|to ring|on|at|in|parking|delivery|of charge|after|before|would)',
  'would be (good|great|fine|perfect|lovely|better|best|ideal|nice)|(can|could|would|will) you help|[need some] help (me|us) with',
  '(fine|ok|okay|alright|sure|right) $|(a|for|to|miss|with) (joy|grace|hope|faith|grant|merry)|^<opener> <opener>*',
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
