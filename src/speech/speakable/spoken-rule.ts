/** How something written is said. */
export interface SpokenRule {
  written: RegExp;
  said: string | ((...parts: string[]) => string);
}
