import type { TimedWord, Transcript } from '#speech/stt.js';
import type { RecognisedWords } from './stt-dialect.js';

const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

/** What a streaming recogniser has understood of one utterance: final words, and those that may still change. */
export class HeardUtterance {
  /** Where it begins in the sound of the call, in milliseconds. */
  readonly startMs: number;
  /** Its words are wanted by nobody. */
  isDiscarded = false;
  /** Takes its words when it is over; null while it goes on. */
  resolve: ((heard: Transcript) => void) | null = null;
  reject: ((error: Error) => void) | null = null;
  readonly #finals: RecognisedWords[] = [];
  #interim: RecognisedWords | null = null;

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  get hasWords(): boolean {
    return this.text !== '';
  }

  /** All words so far. */
  get text(): string {
    return textOf(this.#parts);
  }

  add(words: RecognisedWords, isFinal: boolean): void {
    this.#interim = isFinal || words.text === '' ? null : words;
    if (isFinal && words.text !== '') this.#finals.push(words);
  }

  /** What was not final comes again over another connection. */
  forgetInterim(): void {
    this.#interim = null;
  }

  transcript(): Transcript {
    const parts = this.#parts;
    const text = textOf(parts);
    if (text === '') return NOT_UNDERSTOOD;
    const words: TimedWord[] = parts.flatMap((part) => part.words ?? []);
    const language = parts.findLast((part) => part.language !== undefined)?.language;
    return {
      text,
      confidence: meanConfidence(parts),
      ...(words.length > 0 && { words }),
      ...(language !== undefined && { language }),
    };
  }

  get #parts(): RecognisedWords[] {
    return this.#interim ? [...this.#finals, this.#interim] : this.#finals;
  }
}

function textOf(parts: readonly RecognisedWords[]): string {
  return parts.map(({ text }) => text.trim()).join(' ');
}

/** Each part counts by its length. */
function meanConfidence(parts: readonly RecognisedWords[]): number {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const mean = parts.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / length;
  return Math.min(1, Math.max(0, mean));
}
