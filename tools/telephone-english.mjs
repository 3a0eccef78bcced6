// Writes models/telephone-english.txt: which words follow which on the telephone, for answers that may be anything.
// Half of it is CMU's general model of American English, half is what our own grammars and telephone-english.txt say.
// Run: `apt-get download pocketsphinx-en-us && dpkg -x pocketsphinx-en-us*.deb .`, then
// `node tools/telephone-english.mjs usr/share/pocketsphinx/model/en-us/en-us.lm.bin`.
import { readFileSync, writeFileSync } from 'node:fs';
import { buildDist } from './build.mjs';
import { PhraseSampler } from './phrase-sampler.mjs';
import { readSphinxModel } from './sphinx-model.mjs';

// More words or pairs than these were measured to take memory and time, and to be heard no better.
const VOCABULARY = 1_000;
const PAIRS = 15_000;
/** How much our own phrases count beside the general model. */
const OWN_SHARE = 0.5;
/** How many utterances stand for each line of our phrases. */
const UTTERANCES_A_LINE = 600;
/** What a pair seen that often loses to pairs never seen. */
const DISCOUNT = 0.5;
const [START, END] = ['<s>', '</s>'];
/** Common words that nobody wants to be put into a caller's mouth by mistake. Letters alone are noise, too. */
const NOT_SAID =
  /^(?:[a-z]|de|er|lol|fuck|fucking|shit|damn|hell|sex|kill|killed|dead|death|war|shot|god|obama|iraq)$/;

await buildDist();
const { PHRASE_RULES, ANYTHING, YES_NO } =
  await import('../dist/providers/builtin/pocketsphinx/grammar/phrases.js');
const { VALUE_RULES } = await import('../dist/providers/builtin/pocketsphinx/grammar/value-phrases.js');

/** How many lines of our phrases a part of the grammars counts for. */
const GRAMMAR_LINES = {
  [YES_NO]: 10,
  [ANYTHING]: 8,
  '<aside>': 6,
  '<opt_out>': 6,
  '<call_back>': 2,
  '<screening>': 1,
};

const [, , source] = process.argv;
const phrases = readPhrases();
const own = countPairs(ownUtterances());
const general = readSphinxModel(source);
const vocabulary = chooseWords();
const mixed = mix();
writeFileSync(new URL('../models/telephone-english.txt', import.meta.url), textOf(mixed));

function readPhrases() {
  const lines = readFileSync(new URL('telephone-english.txt', import.meta.url), 'utf8').split('\n');
  const written = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const named = written.map((line) => /^([a-z]+) = (.*)$/.exec(line)).filter((match) => match !== null);
  return {
    rules: new Map(named.map(([, name, pattern]) => [name, pattern])),
    utterances: written.filter((line) => !/^[a-z]+ = /.test(line)),
  };
}

function alsoKnown() {
  return phrases.rules.get('also').split(' | ');
}

/** What callers say freely, and what our grammars hear where anything may be said. */
function ownUtterances() {
  const free = new PhraseSampler(phrases.rules);
  const fixed = new PhraseSampler(new Map(Object.entries({ ...PHRASE_RULES, ...VALUE_RULES })));
  const many = (sampler, pattern, lineCount = 1) =>
    Array.from({ length: lineCount * UTTERANCES_A_LINE }, () => sampler.say(pattern));
  return [
    ...phrases.utterances.flatMap((line) => many(free, line)),
    ...Object.entries(GRAMMAR_LINES).flatMap(([pattern, lineCount]) => many(fixed, pattern, lineCount)),
  ];
}

function countPairs(utterances) {
  const after = new Map();
  for (const words of utterances) {
    if (words.length === 0) continue;
    const all = [START, ...words, END];
    for (let i = 1; i < all.length; i++) {
      const followers = after.get(all[i - 1]) ?? new Map();
      after.set(all[i - 1], followers.set(all[i], (followers.get(all[i]) ?? 0) + 1));
    }
  }
  return after;
}

/** Every word of our own, and the commonest others that the recogniser can pronounce. */
function chooseWords() {
  const pronounced = new Set(
    readFileSync(new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower')), 'latin1')
      .split('\n')
      .map((line) => line.split(/[ \t]/)[0]),
  );
  const ours = [...new Set([...own.keys(), ...alsoKnown()])].filter((word) => word !== START);
  const unknown = ours.filter((word) => !pronounced.has(word));
  if (unknown.length > 0) throw new Error(`the recogniser cannot pronounce ${unknown.join(' ')}`);
  const common = general.words
    .map((word, index) => ({ word, logProbability: general.of(index).logProbability }))
    .filter(({ word }) => /^[a-z][a-z']*$/.test(word) && !NOT_SAID.test(word) && pronounced.has(word))
    .sort((a, b) => b.logProbability - a.logProbability)
    .map(({ word }) => word);
  return [...new Set([...ours, ...common])]
    .slice(0, Math.max(VOCABULARY, ours.length))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** The mixed model: a word's own probability, and those after each word that are worth a place. */
function mix() {
  const numbers = new Map(general.words.map((word, index) => [word, index]));
  const words = [...vocabulary, END];
  const once = unigrams(words, numbers);
  const histories = [START, ...vocabulary];
  const generalAfter = new Map(histories.map((word) => [numbers.get(word), new Map()]));
  for (const word of words)
    for (const pair of numbers.has(word) ? general.before(numbers.get(word)) : [])
      generalAfter.get(pair.word)?.set(word, Math.exp(pair.logProbability));
  const candidates = histories.flatMap((history) => {
    const known = afterOf(history, { words, once, numbers, generalAfter });
    const rest = restOver(known, once);
    const weight = history === START ? once.get(END) : once.get(history);
    return [...known].map(([word, probability]) => ({
      history,
      word,
      probability,
      // What is lost when it is left to the words' own probabilities.
      worth: weight * probability * Math.abs(Math.log(probability / (rest * once.get(word)))),
    }));
  });
  const kept = candidates.sort((a, b) => b.worth - a.worth).slice(0, PAIRS);
  const after = new Map(histories.map((history) => [history, new Map()]));
  for (const { history, word, probability } of kept) after.get(history).set(word, probability);
  return { once, after };
}

/** Probabilities of the words alone, over our vocabulary. */
function unigrams(words, numbers) {
  const ownCounts = new Map();
  for (const followers of own.values())
    for (const [word, count] of followers) ownCounts.set(word, (ownCounts.get(word) ?? 0) + count);
  const ownTotal = [...ownCounts.values()].reduce((sum, count) => sum + count, 0);
  const generalOf = (word) =>
    numbers.has(word) ? Math.exp(general.of(numbers.get(word)).logProbability) : 1e-6;
  const generalTotal = words.reduce((sum, word) => sum + generalOf(word), 0);
  return new Map(
    words.map((word) => [
      word,
      OWN_SHARE * ((ownCounts.get(word) ?? 0) / ownTotal) +
        (1 - OWN_SHARE) * (generalOf(word) / generalTotal),
    ]),
  );
}

/** What follows one word: the pairs that either model knows, with their probabilities. */
function afterOf(history, { words, once, numbers, generalAfter }) {
  const counts = own.get(history) ?? new Map();
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const ownRest = total > 0 ? (DISCOUNT * counts.size) / total : 1;
  const ownOf = (word) =>
    (total > 0 ? Math.max(0, (counts.get(word) ?? 0) - DISCOUNT) / total : 0) + ownRest * once.get(word);
  const listed = generalAfter.get(numbers.get(history)) ?? new Map();
  const backOff = numbers.has(history) ? Math.exp(general.of(numbers.get(history)).logBackOff) : 1;
  const generalRaw = (word) => listed.get(word) ?? backOff * once.get(word);
  const generalTotal = words.reduce((sum, word) => sum + generalRaw(word), 0);
  const share = total > 0 ? OWN_SHARE : 0;
  const known = new Map();
  for (const word of new Set([...counts.keys(), ...listed.keys()]))
    known.set(word, share * ownOf(word) + (1 - share) * (generalRaw(word) / generalTotal));
  return known;
}

/** What is left for words that are not known to follow, as a factor of their own probabilities. */
function restOver(known, once) {
  let [left, others] = [1, 1];
  for (const [word, probability] of known) {
    left -= probability;
    others -= once.get(word);
  }
  return Math.min(1, Math.max(left, 1e-3) / Math.max(others, 1e-3));
}

/** One line a word: its own probability, what is left after it, then the words after it. −ln, in hundredths. */
function textOf({ once, after }) {
  const places = new Map([...vocabulary, END].map((word, index) => [word, index]));
  const written = (probability) => Math.round(-100 * Math.log(probability));
  const pairs = (history) =>
    [...after.get(history)]
      .map(([word, probability]) => `${places.get(word).toString(36)}:${written(probability)}`)
      .join(' ');
  const rest = (history) => written(restOver(after.get(history), once));
  const lines = vocabulary.map((word) => [word, written(once.get(word)), rest(word), pairs(word)]);
  const ends = [
    [END, written(once.get(END)), 0],
    [START, 0, rest(START), pairs(START)],
  ];
  return [...lines, ...ends].map((parts) => parts.join(' ').trim()).join('\n') + '\n';
}
