import type { Language } from './language.js';
import { codeOf, matchLanguageTag, type Languages } from './languages.js';

/** An utterance of fewer words does not prove its language alone: "no", "ok" and "taxi" belong to several languages. */
const MIN_SURE_WORDS = 3;

/**
 * The language of one call: the agent's own, until the caller speaks another language of the agent. One short utterance
 * does not change the language; the next utterance in the same other language does, however short it is. The
 * conversation passes every utterance to `noteUtterance`; dialogue managers and voices read `current` and `tag`.
 */
export class CallLanguage {
  readonly #languages: Languages;
  readonly #tags: readonly string[];
  #tag: string;
  /** The tag of the last utterance, if it was in another language than the present one; else null. */
  #previousOtherTag: string | null = null;

  /** @param others tags of the languages that the call may change to, apart from its own */
  constructor(languages: Languages, tag: string, others: readonly string[] = []) {
    this.#languages = languages;
    this.#tag = tag;
    this.#tags = [tag, ...others.filter((other) => codeOf(other) !== codeOf(tag))];
  }

  /** The present tag, such as `de-AT`. */
  get tag(): string {
    return this.#tag;
  }

  /** The sentences and word lists of the present language. */
  get current(): Language {
    return this.#languages.forTag(this.#tag);
  }

  /** True if the agent has another language to change to. */
  get canChange(): boolean {
    return this.#tags.length > 1;
  }

  /** All tags of the agent, its own first. */
  get all(): readonly string[] {
    return this.#tags;
  }

  /**
   * Takes an utterance with the language that the recogniser reports for it.
   * @returns the new tag if the language of the call changes; otherwise null
   */
  noteUtterance({ text, language }: { text: string; language?: string }): string | null {
    if (language === undefined || !this.canChange) return null;
    const reported = matchLanguageTag(language, this.#tags);
    const isOther = reported !== null && reported !== this.#tag;
    const isLongEnough = text.trim().split(/\s+/).length >= MIN_SURE_WORDS;
    const counts = isOther && (isLongEnough || this.#previousOtherTag === reported);
    this.#previousOtherTag = isOther ? reported : null;
    if (!counts) return null;
    this.#previousOtherTag = null;
    this.#tag = reported;
    return reported;
  }
}
