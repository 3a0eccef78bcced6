/** A period of sound without a break, in milliseconds of the stream (the call's audio, from its first sample). */
interface SoundSpan {
  startMs: number;
  endMs: number;
}

/**
 * The playout log of one agent turn: when its sound was sent, and how much of it the caller has heard at a given time.
 * All times are milliseconds of the stream; `heardMs` is the position up to which the caller has heard. Breaks between
 * the sounds do not count as sound. `AgentTurn` and `AgentVoice` use it for the transcript of the words heard;
 * `AgentTurn` also to continue after an interruption, for which it cuts the log.
 */
export class PlayoutLog {
  readonly #spans: SoundSpan[] = [];
  #certainlyHeardMs = 0;

  /** When the first sound was sent; null before. */
  get startMs(): number | null {
    return this.#spans[0]?.startMs ?? null;
  }

  /** The end of the last sound; 0 before any sound. */
  get endMs(): number {
    return this.#spans.at(-1)?.endMs ?? 0;
  }

  /** Sound up to this position counts as heard, even if the peer reports a longer playout lag later; 0 before a cut. */
  get certainlyHeardMs(): number {
    return this.#certainlyHeardMs;
  }

  /** Adds sound that was sent. Runs for every frame, so it allocates only after a break. */
  add(startMs: number, lengthMs: number): void {
    const last = this.#spans.at(-1);
    if (last?.endMs === startMs) last.endMs += lengthMs;
    else this.#spans.push({ startMs, endMs: startMs + lengthMs });
  }

  /** Cuts the log at `heardMs`: the sound before counts as heard for good, the sound after it is dropped. */
  cutAt(heardMs: number): void {
    const spans = this.#spans;
    // The first span stays, if need be with no length: `startMs` must not be lost.
    while (spans.length > 1 && spans.at(-1)!.startMs >= heardMs) spans.pop();
    const last = spans.at(-1);
    if (!last) return;
    last.endMs = Math.max(last.startMs, Math.min(last.endMs, heardMs));
    this.#certainlyHeardMs = last.endMs;
  }

  /** How much of the sound, in milliseconds, was not yet heard at `heardMs`. */
  unheardMs(heardMs: number): number {
    const fromMs = Math.max(heardMs, this.#certainlyHeardMs);
    let unheardMs = 0;
    for (let at = this.#spans.length - 1; at >= 0; at -= 1) {
      const { startMs, endMs } = this.#spans[at]!;
      if (endMs <= fromMs) break;
      unheardMs += endMs - Math.max(startMs, fromMs);
    }
    return unheardMs;
  }

  /** The end of the last sound heard at `heardMs`; 0 for none. */
  heardEndMs(heardMs: number): number {
    const toMs = Math.max(heardMs, this.#certainlyHeardMs);
    const last = this.#spans.findLast(({ startMs }) => startMs < toMs);
    return last ? Math.min(last.endMs, toMs) : 0;
  }
}
