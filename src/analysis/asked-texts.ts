/** `{{name}}` in a text of a playbook: any words. */
const PLACEHOLDER = /\{\{[^{}]*\}\}/;
const SENTENCE_END = /(?<=[.!?])\s+/;

/**
 * Finds sentences of a playbook's questions. They tell callers the possible answers ("Please say: I will come, or call
 * me back"), so nothing in them is a promise of the agent.
 */
export class AskedTexts {
  readonly #texts: string[];
  /** The fixed parts of each sentence, around its variables. */
  readonly #sentences: string[][];

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(plain);
    this.#sentences = texts
      .flatMap((text) => plain(text).split(SENTENCE_END))
      .filter((sentence) => PLACEHOLDER.test(sentence))
      .map((sentence) => sentence.split(PLACEHOLDER));
  }

  /** @param sentence as it was heard: the beginning of one that was interrupted */
  has(sentence: string): boolean {
    const heard = plain(sentence);
    if (this.#texts.some((text) => text.includes(heard.replace(/[.…]+$/, '')))) return true;
    return this.#sentences.some((parts) => isMadeOf(heard, parts));
  }
}

/** True if a text consists of these parts with any words between them. */
function isMadeOf(text: string, parts: readonly string[]): boolean {
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

function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
