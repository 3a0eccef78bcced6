const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Removes the reasoning `<think>…</think>` from a streamed answer, so that it is not spoken. Open reasoning models
 * (DeepSeek, Qwen) write it into their text. Tags may be cut anywhere; an unclosed tag hides everything after it. Used
 * by `ChatRepairs`.
 */
export class ThinkTagFilter {
  /** True within a pair of tags. */
  #isThinking = false;
  /** The end of the text so far, if it may be the beginning of a tag: `<thi`. */
  #held = '';

  /** True if the next text passes unchanged unless it contains a `<`. */
  get isIdle(): boolean {
    return !this.#isThinking && this.#held === '';
  }

  /**
   * Splits the next text into its visible and hidden parts, without the tags. A possible beginning of a tag is held
   * back.
   */
  read(text: string): { visible: string; hidden: string } {
    let rest = this.#held + text;
    this.#held = '';
    let visible = '';
    let hidden = '';
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN;
      const tagAt = rest.indexOf(tag);
      const upTo = tagAt >= 0 ? tagAt : rest.length - partialTagLength(rest, tag);
      if (this.#isThinking) hidden += rest.slice(0, upTo);
      else visible += rest.slice(0, upTo);
      if (tagAt < 0) {
        this.#held = rest.slice(upTo);
        return { visible, hidden };
      }
      rest = rest.slice(tagAt + tag.length);
      this.#isThinking = !this.#isThinking;
    }
  }

  /** Ends the answer: returns the visible text that was held back, which is no tag after all. */
  end(): string {
    const rest = this.#isThinking ? '' : this.#held;
    this.#held = '';
    return rest;
  }
}

/** How many characters at the end of a text may begin a tag: `"Well <thi"` → 4. */
function partialTagLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
