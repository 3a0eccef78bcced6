import type { Language } from './language.js';
import { codeOf, tagOfTold, type Languages } from './languages.js';

/** An utterance of fewer words may be of several languages: "no", "ok", "taxi". */
const TELLING_WORDS = 3;

/**
 * The language of one call: that of the agent, until its caller speaks another one that the agent speaks, too. One
 * short utterance does not change it; a second one in the same language does.
 */
export class CallLanguage {
  readonly #languages: Languages;
  readonly #spoken: readonly string[];
  #tag: string;
  /** The language of the utterance before, where that was another one. */
  #heard: string | null = null;

  /** @param others tags of the languages that it may change to, beside its own */
  constructor(languages: Languages, tag: string, others: readonly string[] = []) {
    this.#languages = languages;
    this.#tag = tag;
    this.#spoken = [tag, ...others.filter((other) => codeOf(other) !== codeOf(tag))];
  }

  get tag(): string {
    return this.#tag;
  }

  get current(): Language {
    return this.#languages.of(this.#tag);
  }

  /** Whether there is another language to change to. */
  get mayChange(): boolean {
    return this.#spoken.length > 1;
  }

  /** All of them, its own first. */
  get all(): readonly string[] {
    return this.#spoken;
  }

  /** Takes note of the language of an utterance, as the recogniser tells it; gives back the new one on a change. */
  hear({ text, language }: { text: string; language?: string }): string | null {
    if (language === undefined || !this.mayChange) return null;
    const told = tagOfTold(language, this.#spoken);
    const isOther = told !== null && told !== this.#tag;
    const isPlain = text.trim().split(/\s+/).length >= TELLING_WORDS;
    const counts = isOther && (isPlain || this.#heard === told);
    this.#heard = isOther ? told : null;
    if (!counts) return null;
    this.#heard = null;
    this.#tag = told;
    return told;
  }
}
