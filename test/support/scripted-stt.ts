import type { RecognitionHints, Transcript, Stt, SttSession } from '#speech/stt.js';

const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };
/** Each of these adds one word to the interim text. */
const WORD_MS = 250;

/** The result of one utterance: a text (confidence 1), a transcript, or a failure. */
export type ScriptedUtterance = string | Transcript | Error;

/** A recogniser that returns the queued results in order, whatever was said, without delay. */
export interface ScriptedStt extends Stt {
  /** Adds results; each `finish` after some audio takes one. */
  queue(...utterances: ScriptedUtterance[]): void;
  /** The number of results left. */
  readonly waiting: number;
  /** Every stream opened, in order. */
  readonly streams: readonly ScriptedSttSession[];
}

/** One opened stream, with a record of its use. */
export interface ScriptedSttSession extends SttSession {
  readonly expectations: readonly RecognitionHints[];
  /** The samples of each finished utterance, in order. */
  readonly utteranceSamples: readonly number[];
  readonly discards: number;
  readonly closed: boolean;
}

export function createScriptedStt(...utterances: ScriptedUtterance[]): ScriptedStt {
  const queued = [...utterances];
  const streams: ScriptedSttSession[] = [];
  return {
    name: 'scripted',
    streams,
    queue: (...more) => void queued.push(...more),
    get waiting() {
      return queued.length;
    },
    async open(options) {
      const stream = openStream(queued, options);
      streams.push(stream);
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
    },
  };
}

function openStream(queued: ScriptedUtterance[], options: Parameters<Stt['open']>[0]): ScriptedSttSession {
  const expectations: RecognitionHints[] = [];
  const utteranceSamples: number[] = [];
  const state = { samples: 0, partial: '', discards: 0, closed: false };
  const startOver = () => {
    state.samples = 0;
    state.partial = '';
  };
  return {
    expectations,
    utteranceSamples,
    get discards() {
      return state.discards;
    },
    get closed() {
      return state.closed;
    },
    expect: (expectation) => void expectations.push(expectation),
    push(samples) {
      if (state.closed) return;
      state.samples += samples.length;
      const partial = partialOf(queued[0], (state.samples * 1000) / options.sampleRateHz);
      if (partial === state.partial) return;
      state.partial = partial;
      options.onPartial?.(partial);
    },
    async finish() {
      const samples = state.samples;
      startOver();
      if (state.closed || samples === 0) return NOT_UNDERSTOOD;
      utteranceSamples.push(samples);
      const utterance = queued.shift() ?? NOT_UNDERSTOOD;
      if (utterance instanceof Error) throw utterance;
      return typeof utterance === 'string'
        ? { text: utterance, confidence: utterance === '' ? 0 : 1 }
        : utterance;
    },
    discard() {
      state.discards += 1;
      startOver();
    },
    close() {
      state.closed = true;
    },
  };
}

function partialOf(utterance: ScriptedUtterance | undefined, heardMs: number): string {
  if (utterance === undefined || utterance instanceof Error) return '';
  const text = typeof utterance === 'string' ? utterance : utterance.text;
  return text
    .split(' ')
    .slice(0, Math.floor(heardMs / WORD_MS))
    .join(' ');
}
