/** A variable in a text of a playbook, `{{name}}`: in the transcript, any words may have its place. */
const PLACEHOLDER = /\{\{[^{}]*\}\}/;
const SENTENCE_END = /(?<=[.!?])\s+/;

/**
 * Recognises sentences of a playbook's questions in a transcript. They name possible answers ("Please say: I will come,
 * or call me back"), so nothing in them is a promise of the agent. `actionableItems` skips them.
 */
export class QuestionTexts {
  /** The whole texts, in which sentences without variables are searched. */
  readonly #texts: string[];
  /** The sentences with variables, each as its fixed parts around the variables. */
  readonly #sentences: string[][];

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(plain);
    this.#sentences = texts
      .flatMap((text) => plain(text).split(SENTENCE_END))
      .filter((sentence) => PLACEHOLDER.test(sentence))
      .map((sentence) => sentence.split(PLACEHOLDER));
  }

  /**
   * True if a sentence of the transcript belongs to a question.
   * @param sentence a whole sentence; or the spoken part of an interrupted sentence, which is only recognised if it has
   *   no variable so far
   */
  has(sentence: string): boolean {
    const heard = plain(sentence);
    if (this.#texts.some((text) => text.includes(heard.replace(/[.…]+$/, '')))) return true;
    return this.#sentences.some((parts) => consistsOf(heard, parts));
  }
}

/** True if a text consists of these parts with any words between them. */
function consistsOf(text: string, parts: readonly string[]): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}

/** A text with plain apostrophes and single blanks, so that texts compare equal. */
function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
