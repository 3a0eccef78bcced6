import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import type { Store } from '#store/store.js';
import type {
  HearingReport,
  ModelReport,
  SpeechReplaced,
  ToolReport,
  VoiceReport,
} from '#dialogue/dialogue-observer.js';
import { talkTransactions } from './talk-store.js';

/** Longer arguments and results of tools are cut in the transcript. */
const LONGEST_TOOL_TEXT = 2_000;

interface TalkWriterParts {
  store: Store;
  clock: Clock;
  log: Log;
}

/** Keeps what a live talk tells of itself. The talk waits for none of it; the end of its call waits for all. */
export class TalkWriter {
  readonly #callId: string;
  readonly #parts: TalkWriterParts;
  readonly #writes = new Tasks();
  #entries = 0;
  #tools = 0;
  #modelUses = 0;
  #voiceUses = 0;
  #hearingUses = 0;

  constructor(callId: string, parts: TalkWriterParts) {
    this.#callId = callId;
    this.#parts = parts;
  }

  /** Keeps what was said, in the order in which this is called. */
  addEntry(entry: Entry): void {
    this.#entries += 1;
    const said = { callId: this.#callId, sequence: this.#entries, entry };
    this.keep(() => this.#parts.store.write(talkTransactions.addEntry, said));
  }

  /** Keeps the timing of a response. */
  addTurn(timing: TurnTiming): void {
    this.keep(() => this.#parts.store.write(talkTransactions.addTurn, { callId: this.#callId, timing }));
  }

  /**
   * Keeps that a tool was called.
   * @param startMs when, since the first sample of the stream
   * @param isKept whether the transcript holds it
   */
  addTool(report: ToolReport, { startMs, isKept }: { startMs: number; isKept: boolean }): void {
    this.#tools += 1;
    const { store, clock } = this.#parts;
    const args = {
      callId: this.#callId,
      sequence: this.#tools,
      startMs,
      at: clock.wallMs(),
      isKept,
      report: {
        ...report,
        arguments: report.arguments.slice(0, LONGEST_TOOL_TEXT),
        result: report.result.slice(0, LONGEST_TOOL_TEXT),
      },
    };
    this.keep(() => store.write(talkTransactions.addTool, args));
  }

  /** Keeps what a request to a language model has used. */
  addModelUse(report: ModelReport): void {
    this.#modelUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#modelUses, at: clock.wallMs(), report };
    this.keep(() => store.write(talkTransactions.addModelUse, args));
  }

  /** Keeps what a voice has spoken of a sentence. */
  addVoiceUse(report: VoiceReport): void {
    this.#voiceUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#voiceUses, at: clock.wallMs(), report };
    this.keep(() => store.write(talkTransactions.addVoiceUse, args));
  }

  /** Keeps how much sound a recogniser was given. */
  addHearingUse(report: HearingReport): void {
    this.#hearingUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#hearingUses, at: clock.wallMs(), report };
    this.keep(() => store.write(talkTransactions.addHearingUse, args));
  }

  /** Keeps in the log of the call that a provider of speech gave way to another. */
  addReplaced(replaced: SpeechReplaced): void {
    const { store, clock } = this.#parts;
    const { leg, from, to, failure, inSentence } = replaced;
    const data = { leg, from, to, failure, in_sentence: inSentence };
    const note = { callId: this.#callId, type: 'provider_replaced', at: clock.wallMs(), data };
    this.keep(() => store.write(talkTransactions.note, note));
  }

  /** Keeps in the log of the call that its talk goes on in another language (a tag). */
  addLanguage(language: string): void {
    const { store, clock } = this.#parts;
    const note = { callId: this.#callId, type: 'language_changed', at: clock.wallMs(), data: { language } };
    this.keep(() => store.write(talkTransactions.note, note));
  }

  /** Lets a write run beside the talk, again and again while the database is away. @param failure what the log says */
  keep(write: () => Promise<void>, failure = 'part of a talk was not stored'): void {
    const { clock, log } = this.#parts;
    this.#writes.add(
      retryWhileUnavailable(clock, write).catch((error: unknown) =>
        log.error({ err: error, call_id: this.#callId }, failure),
      ),
    );
  }

  /** Resolves when everything so far is kept, or given up. */
  settle(): Promise<void> {
    return this.#writes.settled();
  }
}
