import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { SpeechError } from '#speech/speech-error.js';
import type { RecognitionHints, SttOptions, SttSession, Transcript } from '#speech/stt.js';
import type { ConnectSocket, SocketEnd } from '#providers/wire/socket.js';
import { StallDetector } from './stall-detector.js';
import { PendingUtterance } from './pending-utterance.js';
import { NamedTimers } from './named-timers.js';
import { ConnectionTimes, type Connection } from './connection.js';
import { shiftedWords, wordsSince } from './word-times.js';
import { AudioQueue } from './audio-queue.js';
import { keyTermsOf, type AudioFormat, type SttDialect, type SttEvent } from './stt-dialect.js';

/** The delays before the first three reconnects after the last result. The fourth loss fails the session. */
const RECONNECT_DELAYS_MS = [0, 250, 1_000] as const;
/**
 * When a ready connection ends that has lasted this long, earlier failures are forgotten. Its own end counts as the
 * first failure, or as none between utterances.
 */
const STABLE_AFTER_MS = 5_000;
/** The most audio kept between utterances for a recogniser that receives every frame, while it returns no words. */
const MAX_KEPT_WITHOUT_WORDS_MS = 10_000;

/** The dependencies of a {@link StreamingSession}. */
export interface StreamingSessionParts {
  clock: Clock;
  log: Log;
  connect: ConnectSocket;
  /** Called once, when the session is closed. */
  onClosed(): void;
}

/**
 * The recogniser of one call at a vendor with a streaming protocol ({@link SttDialect}), opened by
 * `createStreamingStt`. The session outlives its connections: audio whose words are not final is kept, and sent again
 * when a connection is lost or returns nothing. A stable connection ({@link STABLE_AFTER_MS}) that ends between
 * utterances is only replaced when audio arrives.
 */
export class StreamingSession implements SttSession {
  /** Resolves when a connection first accepts audio; rejects with a SpeechError if the session ends before that. */
  readonly ready: Promise<void>;
  readonly #dialect: SttDialect;
  readonly #options: SttOptions;
  readonly #parts: StreamingSessionParts;
  readonly #format: AudioFormat;
  readonly #queue: AudioQueue;
  readonly #stallDetector: StallDetector;
  #settleReady!: { resolve(): void; reject(error: Error): void };
  #connection: Connection | null = null;
  #keyTerms: readonly string[] = [];
  /** The utterances without a transcript, the oldest first; the last one is in progress. */
  readonly #utterances: PendingUtterance[];
  /** How many answers are overdue for utterances that were completed without them; these answers are ignored. */
  #staleAnswers = 0;
  /** The end of the newest final words in the audio of the call, in milliseconds. */
  #finalMs = 0;
  /** The utterances whose end was sent over the current connection. */
  #sentEnds = new WeakSet<PendingUtterance>();
  /** The text of the utterance in progress that was reported last. */
  #reportedInterim = '';
  /** Connections lost or given up in a row without a result. */
  #failures = 0;
  /** Why the session cannot continue; null while it can. */
  #failure: SpeechError | null = null;
  #isClosed = false;
  /** Monotonic times: when the next chunk may be sent, and when the last message was sent. */
  #nextChunkAtMs = 0;
  #lastSentAtMs = 0;
  readonly #timers: NamedTimers<'reopen' | 'pace' | 'finish' | 'keep_alive'>;

  constructor(dialect: SttDialect, options: SttOptions, parts: StreamingSessionParts) {
    this.#dialect = dialect;
    this.#options = options;
    this.#parts = parts;
    const { sampleRateHz } = options;
    this.#format = { encoding: sampleRateHz === 8_000 ? 'mulaw' : 'linear16', sampleRateHz };
    this.#queue = new AudioQueue(this.#format, dialect.chunkMs);
    this.#stallDetector = new StallDetector(sampleRateHz);
    this.#timers = new NamedTimers(parts.clock);
    this.#utterances = [new PendingUtterance(0)];
    this.ready = new Promise((resolve, reject) => (this.#settleReady = { resolve, reject }));
    this.ready.catch(() => {});
    this.#connect();
  }

  expect(hints: RecognitionHints): void {
    if (this.#dialect.acceptsKeyTerms === false) return;
    const terms = keyTermsOf(hints);
    if (terms.join('\n') === this.#keyTerms.join('\n')) return;
    this.#keyTerms = terms;
    const message = this.#dialect.keyTermsMessage(terms);
    if (message !== null) {
      if (this.#connection?.isReady) this.#send(message);
    } else if (this.#isIdle && this.#connection?.isReady) {
      // This vendor takes key terms only when a connection is opened. Between utterances, a new one loses no words.
      this.#dropConnection();
      this.#connect();
    }
  }

  push(samples: Int16Array): void {
    if (this.#isClosed || this.#failure) return;
    this.#queue.push(samples);
    if (this.#stallDetector.push(samples, this.#nowMs)) return this.#reconnect('it has gone deaf');
    if (!this.#connection && !this.#timers.has('reopen')) return this.#connect();
    this.#sendQueued();
  }

  async finish(): Promise<Transcript> {
    if (this.#isClosed) return new PendingUtterance(0).transcript();
    if (this.#failure) throw this.#failure;
    const utterance = this.#currentUtterance;
    // Without audio there are no words.
    if (this.#queue.pushedMs === utterance.startMs) return utterance.transcript();
    return new Promise((resolve, reject) => {
      utterance.resolve = resolve;
      utterance.reject = reject;
      this.#endUtterance();
    });
  }

  discard(): void {
    const utterance = this.#currentUtterance;
    if (this.#isClosed || this.#failure || this.#queue.pushedMs === utterance.startMs) return;
    utterance.isDiscarded = true;
    utterance.resolve = () => {};
    this.#endUtterance();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#connection?.isReady && this.#dialect.closeMessage !== null)
      this.#send(this.#dialect.closeMessage);
    this.#dropConnection();
    for (const utterance of this.#utterances) utterance.resolve?.(utterance.transcript());
    this.#settleReady.reject(
      new SpeechError('it was closed', { provider: this.#provider, retryable: false }),
    );
    this.#parts.onClosed();
  }

  get #provider(): string {
    return this.#dialect.provider;
  }

  get #nowMs(): number {
    return this.#parts.clock.monotonicMs();
  }

  /** The utterance in progress. */
  get #currentUtterance(): PendingUtterance {
    return this.#utterances.at(-1)!;
  }

  /** True between utterances: no transcript is pending, and no audio has come since (unless audio always comes). */
  get #isIdle(): boolean {
    const hasAudio = this.#queue.pushedMs > this.#currentUtterance.startMs;
    return this.#utterances.length === 1 && (!hasAudio || this.#dialect.hears === 'every_frame');
  }

  #endUtterance(): void {
    // At a vendor that hears every frame, the following audio fills the last chunk; at others no audio follows.
    this.#queue.endUtterance(this.#currentUtterance, { padding: this.#dialect.hears === 'utterances' });
    this.#utterances.push(new PendingUtterance(this.#queue.pushedMs));
    this.#reportedInterim = '';
    if (!this.#connection && !this.#timers.has('reopen')) this.#connect();
    this.#sendQueued();
  }

  /** Opens a connection, which begins with the kept audio. */
  #connect(): void {
    const { language, otherLanguages = [] } = this.#options;
    const request = { language, otherLanguages, format: this.#format, keyTerms: this.#keyTerms };
    const target = this.#dialect.address(request);
    this.#forgetDiscarded();
    this.#queue.rewind();
    const isCurrent = () => this.#connection === connection;
    const socket = this.#parts.connect(target, {
      onOpen: () =>
        void (isCurrent() && !this.#dialect.announcesReady && this.#handleEvent({ kind: 'ready' })),
      onMessage: (data) => void (isCurrent() && this.#read(data)),
      onClose: (end) => void (isCurrent() && this.#onConnectionClosed(end)),
    });
    const connection: Connection = {
      socket,
      reader: this.#dialect.openReader(request),
      times: new ConnectionTimes(this.#queue.keptFromMs),
      isReady: false,
      openedAtMs: this.#nowMs,
    };
    this.#connection = connection;
    this.#staleAnswers = 0;
    this.#sentEnds = new WeakSet();
    this.#nextChunkAtMs = this.#lastSentAtMs = this.#nowMs;
  }

  /**
   * Forgets the oldest utterances if they were discarded: another connection needs neither their audio nor their end. A
   * discarded utterance behind one that awaits its transcript is sent again, so that the kept audio has no gap.
   */
  #forgetDiscarded(): void {
    const firstNeeded = this.#utterances.findIndex(({ isDiscarded }) => !isDiscarded);
    for (const utterance of this.#utterances.splice(0, firstNeeded)) this.#queue.dropUtterance(utterance);
  }

  /** Handles a message of the vendor. */
  #read(data: string | Uint8Array): void {
    let message: unknown;
    try {
      message = JSON.parse(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'));
    } catch {
      return this.#parts.log.warn({ provider: this.#provider }, 'a recogniser sent what is no JSON');
    }
    this.#stallDetector.onResult();
    for (const event of this.#connection!.reader.read(message)) {
      if (this.#connection) this.#handleEvent(event);
    }
  }

  #handleEvent(event: SttEvent): void {
    switch (event.kind) {
      case 'ready':
        this.#connection!.isReady = true;
        this.#settleReady.resolve();
        this.#scheduleKeepAlive();
        return this.#sendQueued();
      case 'words':
        this.#failures = 0;
        return this.#handleWords(event);
      case 'finished':
        this.#failures = 0;
        return this.#handleFinished(event.throughMs);
      case 'belief':
        if (this.#utterances.length === 1) this.#options.onEndOfTurn?.(event.belief);
        return;
      case 'reply':
        return this.#send(event.message);
      case 'failed':
        if (event.retryable) return this.#reconnect(event.message);
        return this.#fail(event.message, false);
    }
  }

  /** Adds words to the oldest utterance without a transcript. Word times count as `TimedWord` defines them. */
  #handleWords(event: Extract<SttEvent, { kind: 'words' }>): void {
    const { times } = this.#connection!;
    const [utterance] = this.#utterances;
    if (!utterance) return;
    const throughMs = event.throughMs === undefined ? null : times.inCall(event.throughMs);
    // A late result of an utterance that has its transcript does not belong to the next one.
    if (throughMs !== null && throughMs <= utterance.startMs) return;
    const placed = shiftedWords(event, ({ endMs }) => times.inCall(endMs) - endMs);
    const recognised = wordsSince(utterance.startMs, placed);
    if (event.isFinal) this.#finalMs = throughMs ?? recognised.words?.at(-1)?.endMs ?? times.inCall(0);
    const shiftMs = this.#dialect.hears === 'utterances' ? -utterance.startMs : 0;
    utterance.add(
      shiftedWords(recognised, () => shiftMs),
      event.isFinal,
    );
    if (event.isFinal && throughMs !== null) this.#queue.markFinal(throughMs);
    this.#reportPartial(utterance);
  }

  /** Reports the text of the utterance in progress if it has changed and is not empty. */
  #reportPartial(utterance: PendingUtterance): void {
    if (utterance !== this.#currentUtterance || utterance.text === this.#reportedInterim) return;
    this.#reportedInterim = utterance.text;
    if (this.#reportedInterim !== '') this.#options.onPartial?.(this.#reportedInterim);
  }

  /** Completes the oldest utterance; ignores the overdue answer to an utterance that was completed without it. */
  #handleFinished(throughMs: number | undefined): void {
    const [utterance] = this.#utterances;
    const recognisedMs = throughMs === undefined ? this.#finalMs : this.#connection!.times.inCall(throughMs);
    const isStale = this.#staleAnswers > 0 && recognisedMs <= (utterance?.startMs ?? 0);
    this.#staleAnswers = isStale ? this.#staleAnswers - 1 : 0;
    if (!isStale && utterance?.resolve) this.#completeUtterance(utterance);
  }

  /** Completes the oldest utterance with the words so far. */
  #completeUtterance(utterance: PendingUtterance): void {
    this.#timers.cancel('finish');
    this.#utterances.shift();
    this.#queue.dropUtterance(utterance);
    utterance.resolve?.(utterance.transcript());
    this.#awaitFinish();
  }

  /** Starts the timeout for the answer to a sent end; the utterance is then completed with the words so far. */
  #awaitFinish(): void {
    const [utterance] = this.#utterances;
    if (!utterance?.resolve || !this.#sentEnds.has(utterance) || this.#timers.has('finish')) return;
    this.#timers.after('finish', this.#dialect.finishTimeoutMs, () => {
      this.#staleAnswers += 1;
      this.#completeUtterance(utterance);
      for (const event of this.#connection?.reader.skipUtterance?.() ?? []) this.#handleEvent(event);
    });
  }

  /** Sends queued items, no faster than the vendor allows. */
  #sendQueued(): void {
    const connection = this.#connection;
    if (!connection?.isReady || this.#timers.has('pace')) return;
    for (let item = this.#queue.peek(); item; item = this.#queue.peek()) {
      if ('endOf' in item) {
        this.#queue.markSent();
        this.#sendEnd(item.endOf, connection);
        continue;
      }
      const waitMs = this.#nextChunkAtMs - this.#dialect.burstMs - this.#nowMs;
      // A backlog after a reconnect shrinks by leaving out quiet chunks.
      if (waitMs > 0 && this.#dialect.hears === 'every_frame' && item.isQuiet) {
        this.#queue.markSent();
        connection.times.leaveOut(this.#dialect.chunkMs);
        continue;
      }
      if (waitMs > 0) return this.#timers.after('pace', waitMs, () => this.#sendQueued());
      this.#nextChunkAtMs =
        Math.max(this.#nextChunkAtMs, this.#nowMs) + this.#dialect.chunkMs / this.#dialect.maxSendSpeed;
      this.#queue.markSent();
      connection.times.send(this.#dialect.chunkMs);
      connection.reader.onAudioSent?.(this.#dialect.chunkMs);
      this.#send(this.#dialect.audioMessage(item.bytes, this.#format));
    }
    if (this.#dialect.hears === 'every_frame' && this.#isIdle && !this.#currentUtterance.hasWords)
      this.#queue.markFinal(this.#queue.pushedMs - MAX_KEPT_WITHOUT_WORDS_MS);
  }

  /** Sends the end of an utterance. If the vendor has ended it already, the oldest utterance is completed at once. */
  #sendEnd(utterance: PendingUtterance, { reader }: Connection): void {
    const message = reader.finish();
    this.#sentEnds.add(utterance);
    if (message === null && this.#utterances[0] === utterance) return this.#completeUtterance(utterance);
    if (message !== null) this.#send(message);
    this.#awaitFinish();
  }

  #send(message: string | Uint8Array): void {
    this.#lastSentAtMs = this.#nowMs;
    this.#connection?.socket.send(message);
  }

  /** Sends the keep-alive message whenever nothing was sent for its interval. */
  #scheduleKeepAlive(): void {
    const { keepAlive } = this.#dialect;
    if (!keepAlive) return;
    const waitMs = Math.max(0, this.#lastSentAtMs + keepAlive.everyMs - this.#nowMs);
    this.#timers.after('keep_alive', waitMs || keepAlive.everyMs, () => {
      if (this.#nowMs - this.#lastSentAtMs >= keepAlive.everyMs) this.#send(keepAlive.message);
      this.#scheduleKeepAlive();
    });
  }

  /** The connection ended or was refused: reconnects if that may help, else fails the session. */
  #onConnectionClosed({ code, reason, refusal }: SocketEnd): void {
    const status = refusal?.status ?? null;
    const why = refusal ? `refused with ${refusal.status}` : `closed with ${code} ${reason}`;
    if (!this.#dialect.shouldReconnect({ code, reason, status })) return this.#fail(why, false);
    const { isReady = false, openedAtMs = 0 } = this.#connection ?? {};
    const wasStable = isReady && this.#nowMs - openedAtMs >= STABLE_AFTER_MS;
    if (wasStable) this.#failures = 0;
    // Idle timeouts and session limits end connections between utterances: the next audio opens another one.
    if (wasStable && this.#isIdle) return this.#dropConnection();
    this.#reconnect(why);
  }

  /** Replaces a lost or stalled connection by one that gets the kept audio; fails after {@link RECONNECT_DELAYS_MS}. */
  #reconnect(why: string): void {
    this.#dropConnection();
    const waitMs = RECONNECT_DELAYS_MS[this.#failures];
    if (waitMs === undefined) return this.#fail(why, true);
    this.#parts.log.warn({ provider: this.#provider, why }, 'a recogniser is connected with anew');
    this.#failures += 1;
    for (const utterance of this.#utterances) utterance.dropInterim();
    if (waitMs === 0) this.#connect();
    else this.#timers.after('reopen', waitMs, () => this.#connect());
  }

  /** Ends the connection, if there is one, and all timers. */
  #dropConnection(): void {
    this.#timers.cancelAll();
    const connection = this.#connection;
    this.#connection = null;
    connection?.socket.close();
  }

  /** Ends the session: waiting and later calls of `finish` reject. `sttWithFallback` then uses the next recogniser. */
  #fail(why: string, retryable: boolean): void {
    this.#dropConnection();
    const error = new SpeechError(`the recogniser failed: ${why}`, { provider: this.#provider, retryable });
    this.#failure = error;
    this.#settleReady.reject(error);
    for (const utterance of this.#utterances) utterance.reject?.(error);
  }
}
