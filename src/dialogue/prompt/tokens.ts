/** English text has about four characters per token in the vocabularies of present models. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimated tokens of a text, for the limit of a model's context; every provider counts differently. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
