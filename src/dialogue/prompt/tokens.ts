/** English text has about four characters a token in the vocabularies of today's models. */
const CHARACTERS_PER_TOKEN = 4;

/** About how many tokens a text has: an estimate, since every provider counts in its own way. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
