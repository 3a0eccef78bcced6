import type { TimedWord, Transcript } from '#speech/stt.js';
import type { RecognisedWords } from './stt-dialect.js';

/** The result of an utterance without words. */
const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

/**
 * One utterance of a `StreamingSession` that has no transcript yet: its final words, the interim words that may still
 * change, and the promise of `finish` that waits for them.
 */
export class PendingUtterance {
  /** The beginning of the utterance in the audio of the call, in milliseconds. */
  readonly startMs: number;
  /** True if the utterance was no speech, so that its words are not needed. */
  isDiscarded = false;
  /** Settles the promise of `finish`, as `reject` does. Null while the caller speaks, before `finish` or `discard`. */
  resolve: ((transcript: Transcript) => void) | null = null;
  reject: ((error: Error) => void) | null = null;
  readonly #finals: RecognisedWords[] = [];
  #interim: RecognisedWords | null = null;

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  get hasWords(): boolean {
    return this.#interim !== null || this.#finals.length > 0;
  }

  /** All words so far. */
  get text(): string {
    return textOf(this.#parts);
  }

  /** Adds a result of the recogniser, which replaces the interim words. */
  add(words: RecognisedWords, isFinal: boolean): void {
    this.#interim = isFinal || words.text === '' ? null : words;
    if (isFinal && words.text !== '') this.#finals.push(words);
  }

  /** Drops interim words after a reconnection: the new connection recognises them again. */
  dropInterim(): void {
    this.#interim = null;
  }

  /** The result of the utterance with the words so far. */
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

/** The mean confidence, 0 to 1, of results that are each weighted by the length of their text. */
function meanConfidence(parts: readonly RecognisedWords[]): number {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const mean = parts.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / length;
  return Math.min(1, Math.max(0, mean));
}
