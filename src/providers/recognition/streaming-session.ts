import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { SpeechError } from '#speech/speech-error.js';
import type { RecognitionHints, SttOptions, SttSession, Transcript } from '#speech/stt.js';
import type { ConnectSocket, Socket, SocketEnd } from '#providers/wire/socket.js';
import { Deafness } from './deafness.js';
import { HeardUtterance } from './heard-utterance.js';
import { NamedTimers } from './named-timers.js';
import { shiftedWords, wordsSince } from './recognised-words.js';
import { SoundQueue } from './sound-queue.js';
import { keyTermsOf, type SoundForm, type SttDialect, type SttNews, type SttReader } from './stt-dialect.js';

/**
 * The delays before successive reconnects that bring no result; the session fails when the connection is lost once
 * more.
 */
const REOPEN_AFTER_MS = [0, 250, 1_000] as const;
/** The loss of a connection that lasted this long counts as no failure. */
const LASTING_MS = 5_000;
/** The most audio kept for a recogniser that receives every frame, while it returns no words. */
const KEPT_WORDLESS_MS = 10_000;

/** The dependencies of a {@link StreamingSession}. */
export interface StreamingSessionParts {
  clock: Clock;
  log: Log;
  connect: ConnectSocket;
  /** Called once, when the session is closed. */
  onClosed(): void;
}

/** One connection, until it ends or is replaced. */
interface Connection {
  socket: Socket;
  /** Parses the messages of this connection. */
  reader: SttReader;
  /** The place of its first audio in the audio of the call, in milliseconds. */
  fromMs: number;
  /** True if the vendor accepts audio. */
  isReady: boolean;
  /** When it was opened (monotonic). */
  sinceMs: number;
}

/**
 * The recogniser of one call at a vendor with a streaming protocol. The session outlives its connections: audio whose
 * words are not final is kept, and sent again when a connection is lost or returns nothing. A connection that ends
 * between utterances is only opened again when audio arrives. The vendor's protocol is a {@link SttDialect}.
 */
export class StreamingSession implements SttSession {
  /** Resolves when the first connection accepts audio; rejects with a SpeechError if none does. */
  readonly ready: Promise<void>;
  readonly #dialect: SttDialect;
  readonly #options: SttOptions;
  readonly #parts: StreamingSessionParts;
  readonly #form: SoundForm;
  readonly #queue: SoundQueue;
  readonly #deafness: Deafness;
  #settleReady!: { resolve(): void; reject(error: Error): void };
  #connection: Connection | null = null;
  #keyTerms: readonly string[] = [];
  /** The utterances without a transcript, the oldest first; the last one is in progress. */
  readonly #utterances: HeardUtterance[];
  /** How many answers are overdue for utterances that were completed without them; these answers are ignored. */
  #staleAnswers = 0;
  /** The end of the newest final words in the audio of the call, in milliseconds. */
  #finalMs = 0;
  /** The utterances whose end was sent over the present connection. */
  #sentEnds = new WeakSet<HeardUtterance>();
  /** The interim words that were reported last. */
  #partial = '';
  /** Connections lost in a row without a result. */
  #failures = 0;
  /** Why the session cannot continue; null while it can. */
  #failure: SpeechError | null = null;
  #isClosed = false;
  /** When the next chunk may be sent, and when the last message was sent (monotonic). */
  #nextAtMs = 0;
  #sentAtMs = 0;
  readonly #timers: NamedTimers<'reopen' | 'pace' | 'finish' | 'keep_alive'>;

  constructor(dialect: SttDialect, options: SttOptions, parts: StreamingSessionParts) {
    this.#dialect = dialect;
    this.#options = options;
    this.#parts = parts;
    const { sampleRateHz } = options;
    this.#form = { encoding: sampleRateHz === 8_000 ? 'mulaw' : 'linear16', sampleRateHz };
    this.#queue = new SoundQueue(this.#form, dialect.pieceMs);
    this.#deafness = new Deafness(sampleRateHz);
    this.#timers = new NamedTimers(parts.clock);
    this.#utterances = [new HeardUtterance(0)];
    this.ready = new Promise((resolve, reject) => (this.#settleReady = { resolve, reject }));
    this.ready.catch(() => {});
    this.#connect();
  }

  expect(hints: RecognitionHints): void {
    if (this.#dialect.takesKeyTerms === false) return;
    const terms = keyTermsOf(hints);
    if (terms.join('\n') === this.#keyTerms.join('\n')) return;
    this.#keyTerms = terms;
    const message = this.#dialect.keyTerms(terms);
    if (message !== null) {
      if (this.#connection?.isReady) this.#send(message);
    } else if (this.#isIdle && this.#connection?.isReady) {
      // The vendor takes key terms only in the request for a connection. Between utterances a new connection
      // loses no words.
      this.#drop();
      this.#connect();
    }
  }

  push(samples: Int16Array): void {
    if (this.#isClosed || this.#failure) return;
    this.#queue.push(samples);
    if (this.#deafness.push(samples, this.#nowMs)) return this.#reopen('it has gone deaf');
    if (!this.#connection && !this.#timers.has('reopen')) return this.#connect();
    this.#pump();
  }

  async finish(): Promise<Transcript> {
    if (this.#isClosed) return new HeardUtterance(0).transcript();
    if (this.#failure) throw this.#failure;
    const utterance = this.#present;
    if (this.#queue.pushedMs === utterance.startMs) return utterance.transcript();
    return new Promise((resolve, reject) => {
      utterance.resolve = resolve;
      utterance.reject = reject;
      this.#endUtterance();
    });
  }

  discard(): void {
    const utterance = this.#present;
    if (this.#isClosed || this.#failure || this.#queue.pushedMs === utterance.startMs) return;
    utterance.isDiscarded = true;
    utterance.resolve = () => {};
    this.#endUtterance();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#connection?.isReady && this.#dialect.goodbye !== null) this.#send(this.#dialect.goodbye);
    this.#drop();
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
  get #present(): HeardUtterance {
    return this.#utterances.at(-1)!;
  }

  /** True between utterances: no transcript is pending, and the caller has not begun to speak. */
  get #isIdle(): boolean {
    const hasSound = this.#queue.pushedMs > this.#present.startMs;
    return this.#utterances.length === 1 && (!hasSound || this.#dialect.hears === 'every_frame');
  }

  #endUtterance(): void {
    // A vendor of every frame receives the following audio in any case: only utterances need the last chunk now.
    this.#queue.finish(this.#present, { padding: this.#dialect.hears === 'utterances' });
    this.#utterances.push(new HeardUtterance(this.#queue.pushedMs));
    this.#partial = '';
    if (!this.#connection && !this.#timers.has('reopen')) this.#connect();
    this.#pump();
  }

  /** Opens a connection, which begins with the kept audio. */
  #connect(): void {
    const { language, otherLanguages = [] } = this.#options;
    const request = { language, otherLanguages, sound: this.#form, keyTerms: this.#keyTerms };
    const target = this.#dialect.address(request);
    this.#queue.rewind();
    const isMine = () => this.#connection === connection;
    const socket = this.#parts.connect(target, {
      onOpen: () => void (isMine() && !this.#dialect.greets && this.#take({ kind: 'ready' })),
      onMessage: (data) => void (isMine() && this.#read(data)),
      onClose: (end) => void (isMine() && this.#lost(end)),
    });
    const connection: Connection = {
      socket,
      reader: this.#dialect.reader(request),
      fromMs: this.#queue.keptFromMs,
      isReady: false,
      sinceMs: this.#nowMs,
    };
    this.#connection = connection;
    this.#staleAnswers = 0;
    this.#sentEnds = new WeakSet();
    this.#nextAtMs = this.#sentAtMs = this.#nowMs;
  }

  #read(data: string | Uint8Array): void {
    let message: unknown;
    try {
      message = JSON.parse(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'));
    } catch {
      return this.#parts.log.warn({ provider: this.#provider }, 'a recogniser sent what is no JSON');
    }
    this.#deafness.told();
    for (const news of this.#connection!.reader.read(message)) {
      if (this.#connection) this.#take(news);
    }
  }

  #take(news: SttNews): void {
    switch (news.kind) {
      case 'ready':
        this.#connection!.isReady = true;
        this.#settleReady.resolve();
        this.#keepAlive();
        return this.#pump();
      case 'words':
        this.#failures = 0;
        return this.#takeWords(news);
      case 'finished':
        this.#failures = 0;
        return this.#takeFinished(news.throughMs);
      case 'belief':
        if (this.#utterances.length === 1) this.#options.onEndOfTurn?.(news.belief);
        return;
      case 'reply':
        return this.#send(news.message);
      case 'failed':
        if (news.retryable) return this.#reopen(news.message);
        return this.#fail(news.message, false);
    }
  }

  #takeWords(news: Extract<SttNews, { kind: 'words' }>): void {
    const { fromMs: offsetMs } = this.#connection!;
    const [utterance] = this.#utterances;
    if (!utterance) return;
    const throughMs = news.throughMs === undefined ? null : offsetMs + news.throughMs;
    // A late result of an utterance that has its transcript does not belong to the next one.
    if (throughMs !== null && throughMs <= utterance.startMs) return;
    const recognised = wordsSince(utterance.startMs - offsetMs, news);
    if (news.isFinal) this.#finalMs = throughMs ?? offsetMs + (recognised.words?.at(-1)?.endMs ?? 0);
    const shiftMs = offsetMs - (this.#dialect.hears === 'utterances' ? utterance.startMs : 0);
    utterance.add(shiftedWords(recognised, shiftMs), news.isFinal);
    if (news.isFinal && throughMs !== null) this.#queue.settle(throughMs);
    this.#tellPartial(utterance);
  }

  #tellPartial(utterance: HeardUtterance): void {
    if (utterance !== this.#present || utterance.text === this.#partial) return;
    this.#partial = utterance.text;
    if (this.#partial !== '') this.#options.onPartial?.(this.#partial);
  }

  #takeFinished(throughMs: number | undefined): void {
    const [utterance] = this.#utterances;
    const heardMs = throughMs === undefined ? this.#finalMs : this.#connection!.fromMs + throughMs;
    const isStale = this.#staleAnswers > 0 && heardMs <= (utterance?.startMs ?? 0);
    this.#staleAnswers = isStale ? this.#staleAnswers - 1 : 0;
    if (!isStale && utterance?.resolve) this.#settle(utterance);
  }

  /** Completes the oldest utterance with the words so far. */
  #settle(utterance: HeardUtterance): void {
    this.#timers.cancel('finish');
    this.#utterances.shift();
    this.#queue.finished(utterance);
    utterance.resolve?.(utterance.transcript());
    this.#awaitFinish();
  }

  /** Starts the timeout for the answer to the oldest utterance, once its end was sent; then the words so far count. */
  #awaitFinish(): void {
    const [utterance] = this.#utterances;
    if (!utterance?.resolve || !this.#sentEnds.has(utterance) || this.#timers.has('finish')) return;
    this.#timers.after('finish', this.#dialect.finishLimitMs, () => {
      this.#staleAnswers += 1;
      this.#settle(utterance);
      for (const news of this.#connection?.reader.gaveUp?.() ?? []) this.#take(news);
    });
  }

  /** Sends queued items, no faster than the vendor allows. */
  #pump(): void {
    const connection = this.#connection;
    if (!connection?.isReady || this.#timers.has('pace')) return;
    for (let item = this.#queue.peek(); item; item = this.#queue.peek()) {
      if ('finished' in item) {
        this.#queue.taken();
        this.#sendEnd(item.finished, connection);
        continue;
      }
      const waitMs = this.#nextAtMs - this.#dialect.burstMs - this.#nowMs;
      // A backlog after a reconnect shrinks by leaving out quiet chunks; the following audio counts as earlier.
      if (waitMs > 0 && this.#dialect.hears === 'every_frame' && item.isQuiet) {
        this.#queue.taken();
        connection.fromMs += this.#dialect.pieceMs;
        continue;
      }
      if (waitMs > 0) return this.#timers.after('pace', waitMs, () => this.#pump());
      this.#nextAtMs = Math.max(this.#nextAtMs, this.#nowMs) + this.#dialect.pieceMs / this.#dialect.fastest;
      this.#queue.taken();
      connection.reader.sent?.(this.#dialect.pieceMs);
      this.#send(this.#dialect.sound(item.bytes, this.#form));
    }
    if (this.#dialect.hears === 'every_frame' && this.#isIdle && !this.#present.hasWords)
      this.#queue.settle(this.#queue.pushedMs - KEPT_WORDLESS_MS);
  }

  /** Sends the end of an utterance; a vendor that has ended it already completes it at once. */
  #sendEnd(utterance: HeardUtterance, { reader }: Connection): void {
    const message = reader.finish();
    this.#sentEnds.add(utterance);
    if (message === null && this.#utterances[0] === utterance) return this.#settle(utterance);
    if (message !== null) this.#send(message);
    this.#awaitFinish();
  }

  #send(message: string | Uint8Array): void {
    this.#sentAtMs = this.#nowMs;
    this.#connection?.socket.send(message);
  }

  /** Sends the keep-alive message whenever nothing was sent for its interval. */
  #keepAlive(): void {
    const { keepAlive } = this.#dialect;
    if (!keepAlive) return;
    const waitMs = Math.max(0, this.#sentAtMs + keepAlive.everyMs - this.#nowMs);
    this.#timers.after('keep_alive', waitMs || keepAlive.everyMs, () => {
      if (this.#nowMs - this.#sentAtMs >= keepAlive.everyMs) this.#send(keepAlive.message);
      this.#keepAlive();
    });
  }

  /** The connection ended or was refused: reconnects if that may help, else fails the session. */
  #lost({ code, reason, refusal }: SocketEnd): void {
    const status = refusal?.status ?? null;
    const why = refusal ? `refused with ${refusal.status}` : `closed with ${code} ${reason}`;
    if (!this.#dialect.isWorthReopening({ code, reason, status })) return this.#fail(why, false);
    const { isReady = false, sinceMs = 0 } = this.#connection ?? {};
    const hasLasted = isReady && this.#nowMs - sinceMs >= LASTING_MS;
    if (hasLasted) this.#failures = 0;
    // Idle timeouts and session limits end connections between utterances: the next audio opens another one.
    if (hasLasted && this.#isIdle) return this.#drop();
    this.#reopen(why);
  }

  /** Replaces a lost or stalled connection, after a delay that grows; the new one receives the kept audio. */
  #reopen(why: string): void {
    this.#drop();
    const waitMs = REOPEN_AFTER_MS[this.#failures];
    if (waitMs === undefined) return this.#fail(why, true);
    this.#parts.log.warn({ provider: this.#provider, why }, 'a recogniser is connected with anew');
    this.#failures += 1;
    for (const utterance of this.#utterances) utterance.forgetInterim();
    if (waitMs === 0) this.#connect();
    else this.#timers.after('reopen', waitMs, () => this.#connect());
  }

  /** Ends the connection and its timers. */
  #drop(): void {
    this.#timers.cancelAll();
    const connection = this.#connection;
    this.#connection = null;
    connection?.socket.close();
  }

  /** Ends the session: `finish` and `ready` reject from now on, and `sttWithFallback` uses the next recogniser. */
  #fail(why: string, retryable: boolean): void {
    this.#drop();
    const error = new SpeechError(`the recogniser failed: ${why}`, { provider: this.#provider, retryable });
    this.#failure = error;
    this.#settleReady.reject(error);
    for (const utterance of this.#utterances) utterance.reject?.(error);
  }
}
