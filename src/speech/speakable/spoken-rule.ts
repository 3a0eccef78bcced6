/** A replacement of written text by its spoken form. */
export interface SpokenRule {
  written: RegExp;
  said: string | ((...parts: string[]) => string);
}
