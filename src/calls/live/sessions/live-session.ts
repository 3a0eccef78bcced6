import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type {
  Conversation,
  ConversationObserver,
  ConversationResult,
  Entry,
  Steering,
} from '#conversation/talk/conversation.js';
import { dtmfDurationMs } from '#media/detecting/dtmf.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { Recorder } from '#media/recording/recording.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import { gapsOf, recordingTransactions } from '#calls/recordings/recording-store.js';
import type { CallRow } from '#calls/record/call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { CallListener } from './audio-tap.js';
import { Handover } from './handover.js';
import { keptOutcome } from './kept-outcome.js';
import type { LiveCall, LiveEvent, StreamOpening } from './live-call.js';
import type { LiveSessionParts } from './live-session-parts.js';
import { OtherLine } from './other-line.js';
import { endedReasonOf } from './ended-reason-of-talk.js';
import { TalkWriter } from '#calls/talk/talk-writer.js';
import { shownText, toOffset } from '#calls/talk/transcript-formats.js';

/** The WebSocket close code by ended reason; 1000 for all others. */
const CLOSE_CODES: Partial<Record<EndedReason, 1001 | 1011>> & { stream_error: 1011 } = {
  server_shutdown: 1001,
  stream_error: 1011,
  agent_error: 1011,
  speech_provider_error: 1011,
};

/**
 * The ended reasons of a call whose carrier has closed the stream. A carrier that hands a call over to another number
 * closes the stream, too, sometimes before it has answered the transfer request.
 */
const STREAM_CLOSED_REASONS: ReadonlySet<EndedReason> = new Set(['customer_hangup', 'stream_error']);

/**
 * A call whose audio is in this process. Connects its socket, conversation, recording and database rows, and ends the
 * call exactly once. `AudioStreams` creates the session; the socket uses it by the methods of `LiveCall`.
 */
export class LiveSession implements LiveCall {
  readonly callId: string;
  /** Resolves when the end is written and every resource is released. */
  readonly finished: Promise<void>;
  readonly #call: CallRow;
  readonly #opening: StreamOpening;
  readonly #parts: LiveSessionParts;
  readonly #conversation: Conversation;
  readonly #talk: TalkWriter;
  /** Tracks a transfer of the caller to another number. */
  readonly #handover: Handover;
  /** When either side was last active (monotonic milliseconds); in the future while DTMF tones are sent. */
  #lastActivityMs: number;
  /** The write of the ended reason; null before the write, and after its failure. */
  #reasonWritten: Promise<void> | null = null;
  /** Why the call ends, once its end has begun. `byCarrier`: the carrier has ended the call. */
  #end: { reason: EndedReason; byCarrier: boolean } | null = null;
  /** The line that this call is joined with, if any. */
  readonly otherLine = new OtherLine();
  readonly #overListeners = new Set<() => void>();
  /** True once the end of the call has begun, and the listeners of {@link onOver} were called. */
  #isOver = false;

  constructor(call: CallRow, opening: StreamOpening, parts: LiveSessionParts) {
    this.callId = call.id;
    this.#call = call;
    this.#opening = opening;
    this.#parts = parts;
    this.#talk = new TalkWriter(call.id, parts);
    this.#lastActivityMs = parts.clock.monotonicMs();
    this.#handover = new Handover(parts.clock);
    this.#publish({ type: 'session.started', call_id: call.id, sample_rate: opening.line.sampleRateHz });
    this.#conversation = parts.converse(this.#observer(), {
      transfer: (to) => this.#transfer(to),
      joining: parts.joining,
      dialogueObserver: this.#dialogueObserver(parts.clock.wallMs()),
    });
    this.finished = this.#conversation.ended
      .then((result) => this.#finish(result))
      .catch((error: unknown) =>
        parts.log.error({ err: error, call_id: call.id }, 'end of call was not written'),
      );
  }

  get sampleRateHz(): SampleRateHz {
    return this.#opening.line.sampleRateHz;
  }

  /** The controls of an operator, such as taking over, hold and transfer. */
  get steering(): Steering {
    return this.#conversation.steering;
  }

  /** Adds a listener to the audio of the call; returns the function that removes it. */
  listen(listener: CallListener): () => void {
    return this.#parts.tap.add(listener);
  }

  /** Milliseconds since either side was last active, for the watchdog's silence limit. */
  get silentMs(): number {
    // A caller on hold is silent; the conversation limits the length of a hold itself.
    if (this.steering.mode === 'held') return 0;
    const lastActivityMs = Math.max(this.#lastActivityMs, this.otherLine.session?.lastActivityMs ?? 0);
    return this.#parts.clock.monotonicMs() - lastActivityMs;
  }

  /** When either side of this call was last active (monotonic milliseconds). */
  get lastActivityMs(): number {
    return this.#lastActivityMs;
  }

  /** Takes the caller's audio, for the conversation and for the line that the call is joined with. */
  hear(samples: Int16Array): void {
    this.otherLine.hear(samples);
    this.#conversation.hear(samples);
  }

  /** Calls a listener once, when the end of the call begins; at once if it has begun. */
  onOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#overListeners.add(listener);
  }

  /** A summary of the conversation for a person who takes over; null if no model can write one. */
  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#conversation.sumUp?.(signal)) ?? null;
  }

  /**
   * Reports the progress of a warm transfer; with `done`, the call counts as transferred to `to`.
   * @param legId the id of the call to the person
   */
  announceTransfer(to: string, status: 'asked' | 'done' | 'failed', legId: string): void {
    this.#markActivity();
    if (status === 'done') this.otherLine.joinedWith = to;
    this.#publish({ type: 'call.transfer', to, status, leg_call_id: legId });
  }

  /** Milliseconds since the first sample of the line. */
  get nowMs(): number {
    return this.#conversation.nowMs;
  }

  /** Adds words of the person on the other line to the transcript of this call, and notes them for the agent. */
  quote(entry: Entry): void {
    this.#addEntry(entry);
    this.steering.quote(entry.text);
  }

  /** The person on the other line has left: the agent continues with the caller. */
  otherLineLeft(): void {
    this.#markActivity();
    this.steering.personLeft();
  }

  press(digit: string): void {
    this.#markActivity();
    this.#conversation.press(digit);
  }

  /** Sends DTMF tones to the other end: see {@link Conversation.sendKeys}. */
  sendKeys(keys: string): Promise<boolean> {
    this.#markActivity();
    // The silence limit does not count while tones are sent.
    this.#lastActivityMs += dtmfDurationMs(keys);
    return this.#conversation.sendKeys(keys);
  }

  type(text: string): void {
    this.#markActivity();
    this.#conversation.type(text);
  }

  interrupt(): void {
    this.#conversation.interrupt();
  }

  /** The carrier reports that a machine has answered. `greetingEnded`: the machine records now. */
  machineAnswered(greetingEnded: boolean): void {
    this.#conversation.machineAnswered(greetingEnded);
  }

  /** The caller has ended the call. */
  hangUp(): void {
    this.end('customer_hangup');
  }

  /** Ends the call of a closed socket. A carrier closes its stream when the caller hangs up. */
  disconnected(cause: 'closed' | 'failure'): void {
    const isAtCarrier = this.#call.provider_call_id !== null;
    if (cause === 'failure') this.end('stream_error');
    else this.end(isAtCarrier ? 'customer_hangup' : 'stream_disconnected');
  }

  /**
   * Begins the end of the call. The first reason is final, except that a transferred call ends as `transferred`. A
   * closed stream waits for the carrier's answer to a pending transfer. The reason is written even if the conversation
   * does not stop; the watchdog limits how long the call may be ending after that.
   * @param options.byCarrier true if the carrier has reported the end of the call, so that no hang-up is needed
   */
  end(reason: EndedReason, options: { byCarrier?: boolean } = {}): void {
    // A repeated request to end the call writes the reason again, in case the first write failed.
    if (this.#end) return void this.#beginEnd(this.#end.reason);
    if (STREAM_CLOSED_REASONS.has(reason)) {
      // The carrier's answer decides whether the transfer has closed the stream.
      if (this.#handover.pending) return void this.#handover.pending.then(() => this.end(reason, options));
      if (!options.byCarrier) this.#handover.streamClosed();
    }
    const finalReason = this.#handover.to === null ? reason : 'transferred';
    this.#end = { reason: finalReason, byCarrier: options.byCarrier ?? false };
    this.#announceOver();
    void this.#beginEnd(finalReason);
    this.#conversation.stop();
  }

  /** Closes the socket of a conversation that does not end by itself. */
  abandon(): void {
    this.#opening.close(CLOSE_CODES.stream_error, 'stream_error');
  }

  /** Hands the caller over to a number (E.164), and reports the progress. True when the carrier has done it. */
  async #transfer(to: string): Promise<boolean> {
    this.#publish({ type: 'call.transfer', to, status: 'asked' });
    const isDone = await this.#handover.track(to, this.#parts.transfer(this.#call, to));
    this.#markActivity();
    this.#publish({ type: 'call.transfer', to, status: isDone ? 'done' : 'failed' });
    return isDone;
  }

  /**
   * Writes the ended reason, unless that is done or in progress. Never rejects: socket and call are released even if
   * the database is unavailable.
   */
  #beginEnd(reason: EndedReason): Promise<void> {
    this.#reasonWritten ??= this.#writeReason(reason).catch((error: unknown) => {
      this.#reasonWritten = null;
      this.#parts.log.error({ err: error, call_id: this.callId }, 'reason of an end was not written');
    });
    return this.#reasonWritten;
  }

  /** Writes the reason, or an inferred handover; a handover that the carrier has confirmed is stored already. */
  #writeReason(reason: EndedReason): Promise<void> {
    const { endings } = this.#parts;
    const { to, isInferred } = this.#handover;
    return to !== null && isInferred
      ? endings.storeHandover(this.callId, to)
      : endings.begin(this.callId, reason);
  }

  /** Ends the call after its conversation: recording, costs, outcome and final status. */
  async #finish(result: ConversationResult): Promise<void> {
    const { endings, recorder, log, tap } = this.#parts;
    this.#announceOver();
    tap.end();
    const { endedAt } = result;
    const { to } = this.#handover;
    const reasonOfTalk = to === null ? endedReasonOf(result) : 'transferred';
    const { reason, byCarrier } = (this.#end ??= { reason: reasonOfTalk, byCarrier: false });
    if (result.end.by === 'error') {
      log.error({ err: result.end.error, call_id: this.callId }, 'conversation failed');
    }
    await this.#beginEnd(reason);
    if (result.outcome.followUp?.kind === 'suppress') await this.#storeOptOut();
    this.#opening.notify({ type: 'call.ended', call_id: this.callId, ended_reason: reason });
    this.#opening.close(CLOSE_CODES[reason] ?? 1000, reason);
    // A call that was handed over is not hung up. If its end began before the handover, it has another reason.
    const isHandedOver = reason === 'transferred';
    const hungUp = byCarrier || isHandedOver ? null : this.#parts.hangUp(this.#call);
    await Promise.all([hungUp, this.#closeRecording(recorder), this.#talk.settled()]);
    await this.#settleCosts(endedAt);
    const kept = keptOutcome(result.outcome, this.#call);
    // `joinedWith`: the number of the person to whom a warm transfer has connected the caller.
    const transferredTo = isHandedOver ? to : this.otherLine.joinedWith;
    const outcome = transferredTo
      ? { ...kept, followUp: { kind: 'transfer' as const, to: transferredTo } }
      : kept;
    const talk = { outcome, audioQuality: result.audioQuality };
    await retryWhileUnavailable(this.#parts.clock, () => endings.end(this.callId, reason, { endedAt, talk }));
    this.#parts.feed.publish(this.#call, {
      type: 'call.ended',
      call_id: this.callId,
      ended_reason: reason,
    });
  }

  /** Stores the costs; a failure does not keep the call from ending. */
  async #settleCosts(endedAt: number): Promise<void> {
    const { clock, log, settleCosts } = this.#parts;
    await retryWhileUnavailable(clock, () => settleCosts(endedAt)).catch((error: unknown) =>
      log.error({ err: error, call_id: this.callId }, 'the cost of a call was not written'),
    );
  }

  /** Stores the opt-out before the hang-up, or later if the database is unavailable. */
  async #storeOptOut(): Promise<void> {
    const optOut = () => this.#parts.optOut(this.#call);
    await optOut().catch(() => this.#talk.writeInBackground(optOut, 'an opt-out was not kept'));
  }

  /**
   * Closes the recording and stores its gaps. A recording that cannot be closed does not keep the call from ending; the
   * after-call job repairs its file.
   */
  async #closeRecording(recorder: Recorder | null): Promise<void> {
    await recorder?.close().catch((error: unknown) => {
      this.#parts.log.error({ err: error, call_id: this.callId }, 'recording was not closed');
    });
    if (!recorder || recorder.gaps.length === 0) return;
    const { store, clock, log } = this.#parts;
    const gaps = gapsOf(recorder);
    log.warn({ call_id: this.callId, gaps }, 'parts of a call are not in its recording');
    const stored = { callId: this.callId, gaps };
    await retryWhileUnavailable(clock, () => store.write(recordingTransactions.keepGaps, stored));
  }

  /** Passes the events of the conversation to the socket, the live feed and the database. */
  #observer(): ConversationObserver {
    return {
      onState: (state) => {
        this.#markActivity();
        this.#publish({ type: 'agent.state', state });
      },
      onPartial: (text) => {
        this.#markActivity();
        this.#publish({ type: 'transcript.partial', speaker: 'customer', text });
      },
      onMode: (mode) => this.#publish({ type: 'call.mode', mode }),
      onInterrupted: () => this.#publish({ type: 'interrupted' }),
      onLanguage: (language) => {
        this.#publish({ type: 'language.changed', language });
        this.#talk.addLanguage(language);
      },
      onAnswerer: (answerer) => this.#publish({ type: 'call.answered_by', answered_by: answerer }),
      onEntry: (entry) => this.#addEntry(entry),
      onTurn: (timing) => this.#talk.addTurn(timing),
    };
  }

  /**
   * Passes the events of the dialogue and of its providers on, like {@link #observer}.
   * @param beganAt when the conversation began (epoch milliseconds)
   */
  #dialogueObserver(beganAt: number): DialogueObserver {
    return {
      onTool: (report) => {
        this.#markActivity();
        const isKept = this.#call.enable_transcription;
        this.#talk.addTool(report, { startMs: report.startedAt - beganAt, isKept });
        const { name, status, latencyMs } = report;
        this.#publish({ type: 'tool.called', name, status, latency_ms: Math.round(latencyMs) });
      },
      onModel: (report) => this.#talk.addModelUse(report),
      onStep: (step) => this.#publish({ type: 'step.reached', step }),
      onHearing: (report) => this.#talk.addHearingUse(report),
      onVoice: (report) => this.#talk.addVoiceUse(report),
      onReplaced: (replaced) => this.#talk.addReplaced(replaced),
    };
  }

  /** Calls the listeners of `onOver`, once. */
  #announceOver(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const listener of this.#overListeners) listener();
  }

  /** Restarts the silence limit: one of the sides was active. */
  #markActivity(): void {
    this.#lastActivityMs = Math.max(this.#lastActivityMs, this.#parts.clock.monotonicMs());
  }

  /** Publishes an entry, stores it if the call keeps a transcript, and quotes it on the joined line. */
  #addEntry(entry: Entry): void {
    this.#markActivity();
    this.#publish({
      type: 'transcript.final',
      speaker: entry.speaker,
      text: shownText(entry.text),
      timestamp: toOffset(entry.startMs),
      confidence: entry.confidence,
      start_ms: Math.round(entry.startMs),
      end_ms: Math.round(entry.endMs),
      interrupted: entry.interrupted,
      ...(entry.language && { language: entry.language }),
      ...(entry.by && { by: entry.by }),
    });
    if (this.#call.enable_transcription) this.#talk.addEntry(entry);
    this.otherLine.quote(entry);
  }

  /** Sends an event to the call's socket and to the live feed. */
  #publish(event: LiveEvent): void {
    this.#opening.notify(event);
    this.#parts.feed.publish(this.#call, event);
  }
}
