/**
 * The next piece of the unread text: its length in characters, and its spoken form (empty for markup). Null if more
 * text must arrive before the piece can be read.
 */
type Reading = { length: number; spoken: string } | null;

/** Longest markup that is waited for: a bracket or `<` that stays open for longer is an ordinary character. */
const LONGEST_MARKUP = 300;

/** Markdown at the beginning of a line: headings, list marks, quotes, rules and tables. */
const LINE_MARKER = /^[ \t]*(?:#{1,6}[ \t]+|[-*+•–][ \t]+|>[ \t]?|[-*_=]{3,}[ \t]*(?=\n|$)|\|[ \t]*)/;
/** The number of a list item. Not removed in the first line, which may be an answer such as "3. March". */
const NUMBERED = /^[ \t]*\d{1,2}[.)][ \t]+/;
/** Text that may still become the marker of a line. */
const PERHAPS_MARKER = /^[ \t]*(?:#{1,6}|[-*+•–]{1,3}|[-*_=]{1,}[ \t]*|>|\|[ \t]*|\d{1,2}[.)]?)?[ \t]*$/;
/** The beginning of a model's reasoning, which is not for the caller. */
const REASONING = /^<(think|thinking|reasoning)>/i;
/** A whole HTML tag or comment, and the beginning of text that may become one. */
const TAG = /^<\/?[a-zA-Z][^<>]*>|^<!--[\s\S]*?-->/;
const TAG_BEGINS = /^<(?:$|[a-zA-Z/!])/;
/** A link or picture of markdown; its text is spoken. */
const LINK = /^!?\[([^\][]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/;
/** A bracket that may still become a link. */
const LINK_BEGINS = /^!?\[(?:[^\][]*(?:\](?:\([^()]*)?)?)?$/;
/** One code point of an emoji: a pictograph, or a mark that joins or changes pictographs. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3|[\u{e0020}-\u{e007f}])/u;
/** Signs that Unicode counts as pictographs, but that are spoken. */
const LETTERLIKE = /^[©®™]/u;
/** A run of text without markup, spoken as written: the bulk of most texts. */
const PLAIN = /[\p{L}\p{N} ,.?;:'"()-]+/uy;
/** Characters of the output that are remembered: enough for a punctuation mark with closing quotes and brackets. */
const TAIL_CHARACTERS = 8;
const ENDS_SENTENCE = /[.!?:;,…]["'”’)]*$/;

/**
 * Turns a model's streamed text into speakable text: without markdown, tags, reasoning and emoji. The stream may be cut
 * anywhere: text that may still become markup is held back until that is decided. Used by `streamAnswer`.
 */
export class SpokenStream {
  /** Text that is not read yet. */
  #rest = '';
  #isLineStart = true;
  #isFirstLine = true;
  /** The tag of the reasoning that is being skipped; null outside of reasoning. */
  #reasoningTag: string | null = null;
  /** The last characters of the output: they show whether a line ended like a sentence, or a word has just ended. */
  #tail = '';
  /** True after the end of a line. Its pause is written only when more text follows: the end of the text needs none. */
  #isLineOver = false;

  /** @returns the text that can be spoken by now */
  push(piece: string): string {
    this.#rest += piece;
    return this.#speakable(false);
  }

  /** Ends the stream. @returns the text that was held back */
  flush(): string {
    const spoken = this.#speakable(true);
    this.#rest = '';
    return spoken;
  }

  /** Reads as much of the text as can be decided; `isLast`: nothing more comes. */
  #speakable(isLast: boolean): string {
    let spoken = '';
    while (this.#rest !== '') {
      const reading = this.#readNext(isLast);
      if (reading === null) break;
      this.#rest = this.#rest.slice(reading.length);
      if (reading.spoken !== '') spoken += this.#emit(reading.spoken);
    }
    return spoken;
  }

  /** The output for a spoken text: with a pause before it at the beginning of a line. */
  #emit(text: string): string {
    const pause = this.#isLineOver && text.trim() !== '' ? this.#pause() : '';
    if (text.trim() !== '') this.#isLineOver = false;
    this.#tail = (this.#tail + pause + text).slice(-TAIL_CHARACTERS);
    return pause + text;
  }

  /** A line that ends without punctuation is a sentence of its own. */
  #pause(): string {
    const before = this.#tail.trimEnd();
    return before === '' || ENDS_SENTENCE.test(before) ? ' ' : '. ';
  }

  /** Reads the next piece of the text. */
  #readNext(isLast: boolean): Reading {
    const rest = this.#rest;
    if (this.#reasoningTag !== null) return this.#readReasoning(isLast);
    if (this.#isLineStart) {
      const marker = LINE_MARKER.exec(rest) ?? (this.#isFirstLine ? null : NUMBERED.exec(rest));
      if (!isLast && PERHAPS_MARKER.test(rest)) return null;
      this.#isLineStart = false;
      if (marker) return { length: marker[0].length, spoken: '' };
    }
    if (rest[0] === '\n' || rest[0] === '\r') return this.#endLine();
    if (rest[0] === '<') return this.#readTag(isLast);
    if (rest[0] === '[' || rest.startsWith('![')) return readLink(rest, isLast);
    const plain = this.#isLineOver ? null : plainRun(rest);
    if (plain !== null) return { length: plain.length, spoken: plain };
    return readCharacter(rest, { isLast, before: this.#tail.at(-1) ?? '' });
  }

  #endLine(): Reading {
    this.#isLineStart = true;
    this.#isFirstLine = false;
    this.#isLineOver = true;
    return { length: 1, spoken: '' };
  }

  /** Reads text that begins with `<`: a tag, the start of reasoning, or a single `<`; none of them is spoken. */
  #readTag(isLast: boolean): Reading {
    const rest = this.#rest;
    const reasoning = REASONING.exec(rest);
    if (reasoning) {
      this.#reasoningTag = reasoning[1]!.toLowerCase();
      return { length: reasoning[0].length, spoken: '' };
    }
    const tag = TAG.exec(rest);
    if (tag) return { length: tag[0].length, spoken: '' };
    const mayBecomeTag = TAG_BEGINS.test(rest) && !rest.includes('>') && rest.length <= LONGEST_MARKUP;
    if (mayBecomeTag && !isLast) return null;
    return { length: 1, spoken: '' };
  }

  /** Skips reasoning up to its closing tag. */
  #readReasoning(isLast: boolean): Reading {
    const end = `</${this.#reasoningTag}>`;
    const at = this.#rest.toLowerCase().indexOf(end);
    if (at < 0) {
      const kept = isLast ? 0 : end.length - 1;
      const length = Math.max(0, this.#rest.length - kept);
      return length === 0 ? null : { length, spoken: '' };
    }
    this.#reasoningTag = null;
    return { length: at + end.length, spoken: '' };
  }
}

/** The beginning of a text that is spoken as written; null if there is none. */
function plainRun(text: string): string | null {
  PLAIN.lastIndex = 0;
  return PLAIN.exec(text)?.[0] ?? null;
}

/** Reads text that begins with `[` or `![`: a link, whose text is spoken, or a single character, which is not. */
function readLink(rest: string, isLast: boolean): Reading {
  const link = LINK.exec(rest);
  if (link) return { length: link[0].length, spoken: link[1]! };
  const isOpen = LINK_BEGINS.test(rest) && rest.length <= LONGEST_MARKUP;
  return isOpen && !isLast ? null : { length: 1, spoken: '' };
}

/** Reads one character, which is left out if it is a picture or markup; `before` is the last spoken character. */
function readCharacter(rest: string, { isLast, before }: { isLast: boolean; before: string }): Reading {
  const character = String.fromCodePoint(rest.codePointAt(0)!);
  // Half of a surrogate pair waits for the other half.
  if (/^[\ud800-\udbff]$/.test(character) && !isLast) return null;
  const { length } = character;
  if (LETTERLIKE.test(character)) return { length, spoken: character };
  // A picture may begin: `![`.
  if (character === '!' && rest.length === 1 && !isLast) return null;
  if (character === '*' || character === '`' || character === '~') return { length, spoken: '' };
  if (character === '_' || character === '|') return readSeparator(rest, { isLast, before });
  if (EMOJI.test(character)) return { length, spoken: '' };
  return { length, spoken: character };
}

/**
 * Reads `_` or `|`. An underscore within a word becomes a space ("order_number"); around a word it is emphasis. The bar
 * between two cells of a table becomes a comma.
 */
function readSeparator(rest: string, { isLast, before }: { isLast: boolean; before: string }): Reading {
  if (rest.length === 1 && !isLast) return null;
  const isWithinWord = /[\p{L}\p{N}]/u.test(before) && /^[\p{L}\p{N}]/u.test(rest.slice(1));
  if (rest[0] === '|') return { length: 1, spoken: before === ' ' || before === '' ? '' : ',' };
  return { length: 1, spoken: isWithinWord ? ' ' : '' };
}
