import winkModel from 'wink-eng-lite-web-model';
import winkNLP, { type ItsFunction } from 'wink-nlp';

/*
 * Splits English text into sentences and finds its nouns, with the library wink-nlp, for `analyseCall`. Loaded on the
 * analysis thread only, because its model is large.
 */

// Only sentence boundaries and parts of speech are computed.
const nlp = winkNLP(winkModel, ['sbd', 'pos']);
const { its } = nlp;
// The declaration has one parameter less than wink-nlp passes.
const lemmaOf = its.lemma as unknown as ItsFunction<string>;

/** Nouns that occur in every call, and are no keywords. */
const NOUNS_OF_EVERY_CALL = new Set(
  'hello goodbye bye thanks thank please yes no okay ok sorry moment minute lot time thing way call name'.split(
    ' ',
  ),
);
const SHORTEST_KEYWORD = 3;

/** Splits English text into sentences. */
export function sentencesOf(text: string): string[] {
  return nlp
    .readDoc(text)
    .sentences()
    .out()
    .map((sentence) => sentence.trim());
}

/** The nouns and names of an English text in their base form, lower case, one entry per occurrence. */
export function nounsOf(text: string): string[] {
  const tokens = nlp.readDoc(text).tokens();
  const lemmas = tokens.out(lemmaOf);
  const kinds = tokens.out(its.pos);
  return lemmas
    .map((lemma) => lemma.toLowerCase())
    .filter(
      (lemma, index) =>
        (kinds[index] === 'NOUN' || kinds[index] === 'PROPN') &&
        lemma.length >= SHORTEST_KEYWORD &&
        /^\p{L}[\p{L}'-]*$/u.test(lemma) &&
        !NOUNS_OF_EVERY_CALL.has(lemma),
    );
}
