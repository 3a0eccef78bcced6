import type { ModuleContext } from '#store/module-context.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import type {
  HearingReport,
  ModelReport,
  SpeechReplaced,
  ToolReport,
  VoiceReport,
} from '#dialogue/dialogue-observer.js';
import { talkTransactions } from './talk-store.js';

/** Arguments and results of tools are cut at this length (characters) in the transcript. */
const MAX_TOOL_TEXT = 2_000;

/** The dependencies of {@link TalkWriter}. */
type TalkWriterParts = Pick<ModuleContext, 'store' | 'clock' | 'log'>;

/**
 * Stores what happens in a live talk, in the background. The talk waits for none of the writes; the end of its call
 * waits for all of them. Each `LiveSession` has one.
 */
export class TalkWriter {
  readonly #callId: string;
  readonly #parts: TalkWriterParts;
  readonly #writes = new Tasks();
  // The sequence number of the last row of each kind. A repeated write has the number of the first, so the row is not
  // stored twice.
  #entries = 0;
  #tools = 0;
  #modelUses = 0;
  #voiceUses = 0;
  #hearingUses = 0;

  constructor(callId: string, parts: TalkWriterParts) {
    this.#callId = callId;
    this.#parts = parts;
  }

  /** Stores an utterance; sequence numbers follow the order of these calls. */
  addEntry(entry: Entry): void {
    this.#entries += 1;
    const args = { callId: this.#callId, sequence: this.#entries, entry };
    this.writeInBackground(() => this.#parts.store.write(talkTransactions.addEntry, args));
  }

  /** Stores the timing of a response. */
  addTurn(timing: TurnTiming): void {
    this.writeInBackground(() =>
      this.#parts.store.write(talkTransactions.addTurn, { callId: this.#callId, timing }),
    );
  }

  /**
   * Stores a tool call.
   * @param startMs milliseconds since the first sample of the stream
   * @param isKept whether the call keeps a transcript, which then holds the tool call
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
        arguments: report.arguments.slice(0, MAX_TOOL_TEXT),
        result: report.result.slice(0, MAX_TOOL_TEXT),
      },
    };
    this.writeInBackground(() => store.write(talkTransactions.addTool, args));
  }

  /** Stores the usage of a request to a language model. */
  addModelUse(report: ModelReport): void {
    this.#modelUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#modelUses, at: clock.wallMs(), report };
    this.writeInBackground(() => store.write(talkTransactions.addModelUse, args));
  }

  /** Stores the use of a voice for a sentence. */
  addVoiceUse(report: VoiceReport): void {
    this.#voiceUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#voiceUses, at: clock.wallMs(), report };
    this.writeInBackground(() => store.write(talkTransactions.addVoiceUse, args));
  }

  /** Stores how much audio a recogniser has received. */
  addHearingUse(report: HearingReport): void {
    this.#hearingUses += 1;
    const { store, clock } = this.#parts;
    const args = { callId: this.#callId, sequence: this.#hearingUses, at: clock.wallMs(), report };
    this.writeInBackground(() => store.write(talkTransactions.addHearingUse, args));
  }

  /** Notes in the life-cycle log of the call that a fallback has replaced a speech provider. */
  addReplaced(replaced: SpeechReplaced): void {
    const { store, clock } = this.#parts;
    const { leg, from, to, failure, inSentence } = replaced;
    const data = { leg, from, to, failure, in_sentence: inSentence };
    const note = { callId: this.#callId, type: 'provider_replaced' as const, at: clock.wallMs(), data };
    this.writeInBackground(() => store.write(talkTransactions.noteOnce, note));
  }

  /** Notes in the life-cycle log of the call that the talk continues in another language (a BCP 47 tag). */
  addLanguage(language: string): void {
    const { store, clock } = this.#parts;
    const note = {
      callId: this.#callId,
      type: 'language_changed' as const,
      at: clock.wallMs(),
      data: { language },
    };
    this.writeInBackground(() => store.write(talkTransactions.noteOnce, note));
  }

  /**
   * Runs a write in the background, repeated while the database is unavailable.
   * @param failure the log message if the write fails for good
   */
  writeInBackground(write: () => Promise<void>, failure = 'part of a talk was not stored'): void {
    const { clock, log } = this.#parts;
    this.#writes.add(
      retryWhileUnavailable(clock, write).catch((error: unknown) =>
        log.error({ err: error, call_id: this.#callId }, failure),
      ),
    );
  }

  /** Resolves when all writes so far are done or given up. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }
}
