import type { Language } from './language.js';
import { codeOf, tagOfTold, type Languages } from './languages.js';

/** A shorter utterance may be of several languages: "no", "ok", "taxi". */
const TELLING_WORDS = 3;

/**
 * The language of one call: the agent's own, until the caller speaks another one of the agent's languages. One short
 * utterance does not change the language; a second one in the same language does.
 */
export class CallLanguage {
  readonly #languages: Languages;
  readonly #spoken: readonly string[];
  #tag: string;
  /** The language of the last utterance, if it was not the present one. */
  #heard: string | null = null;

  /** @param others tags of the languages that the call may change to, apart from its own */
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

  /** True if the agent has another language to change to. */
  get mayChange(): boolean {
    return this.#spoken.length > 1;
  }

  /** All tags of the agent, its own first. */
  get all(): readonly string[] {
    return this.#spoken;
  }

  /** Takes the recogniser's language of an utterance; returns the new tag on a change, otherwise null. */
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
