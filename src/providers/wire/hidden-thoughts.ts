const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Takes `<think>…</think>` out of what is spoken: open models that reason write it into their text. Tags may be cut
 * anywhere; one that is never closed hides all that follows.
 */
export class HiddenThoughts {
  #isThinking = false;
  /** The beginning of what may become a tag. */
  #held = '';

  /** Whether text without a tag passes as it is. */
  get isIdle(): boolean {
    return !this.#isThinking && this.#held === '';
  }

  /** What of `text` is for the caller, and what is not; the rest is kept until more has come. */
  read(text: string): { visible: string; hidden: string } {
    let rest = this.#held + text;
    this.#held = '';
    let visible = '';
    let hidden = '';
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN;
      const at = rest.indexOf(tag);
      const upTo = at >= 0 ? at : rest.length - lengthOfBeginning(rest, tag);
      if (this.#isThinking) hidden += rest.slice(0, upTo);
      else visible += rest.slice(0, upTo);
      if (at < 0) {
        this.#held = rest.slice(upTo);
        return { visible, hidden };
      }
      rest = rest.slice(at + tag.length);
      this.#isThinking = !this.#isThinking;
    }
  }

  /** What was held and became no tag. */
  end(): string {
    const rest = this.#isThinking ? '' : this.#held;
    this.#held = '';
    return rest;
  }
}

/** How many characters at the end of a text could be the beginning of a tag. */
function lengthOfBeginning(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
