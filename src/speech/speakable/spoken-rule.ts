/** A replacement of written text by its spoken form, applied by `speakableText` to all matches. */
export interface SpokenRule {
  written: RegExp;
  /** As the second argument of `String.replace`: a text with `$1`, or a function of the match and its groups. */
  said: string | ((...parts: string[]) => string);
}
