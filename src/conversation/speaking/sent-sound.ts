interface Stretch {
  startMs: number;
  endMs: number;
}

/**
 * The playout log of one turn: when its sound was sent, and how much of it was heard up to a moment. All times are
 * milliseconds of the stream. Sound sent without a break is one stretch; the breaks between stretches are not sound
 * that the caller missed.
 */
export class SentSound {
  readonly #stretches: Stretch[] = [];
  #settledMs = 0;

  /** Null while nothing was sent. */
  get startMs(): number | null {
    return this.#stretches[0]?.startMs ?? null;
  }

  /** 0 while nothing was sent. */
  get endMs(): number {
    return this.#stretches.at(-1)?.endMs ?? 0;
  }

  /** Sound sent up to here was heard, whatever playout lag the peer reports later. */
  get settledMs(): number {
    return this.#settledMs;
  }

  /** Called for every frame; allocates only after a break. */
  add(startMs: number, lengthMs: number): void {
    const last = this.#stretches.at(-1);
    if (last?.endMs === startMs) last.endMs += lengthMs;
    else this.#stretches.push({ startMs, endMs: startMs + lengthMs });
  }

  /** Fixes that sound sent up to `heardMs` was heard, and that later sound never will be. */
  settle(heardMs: number): void {
    const stretches = this.#stretches;
    while (stretches.length > 1 && stretches.at(-1)!.startMs >= heardMs) stretches.pop();
    const last = stretches.at(-1);
    if (!last) return;
    last.endMs = Math.max(last.startMs, Math.min(last.endMs, heardMs));
    this.#settledMs = last.endMs;
  }

  /** Milliseconds of the sound not heard up to a moment. */
  unheardMs(heardMs: number): number {
    const fromMs = Math.max(heardMs, this.#settledMs);
    let unheardMs = 0;
    for (let at = this.#stretches.length - 1; at >= 0; at -= 1) {
      const { startMs, endMs } = this.#stretches[at]!;
      if (endMs <= fromMs) break;
      unheardMs += endMs - Math.max(startMs, fromMs);
    }
    return unheardMs;
  }

  /** End of the sound heard up to a moment; 0 for none. */
  heardEndMs(heardMs: number): number {
    const toMs = Math.max(heardMs, this.#settledMs);
    const last = this.#stretches.findLast(({ startMs }) => startMs < toMs);
    return last ? Math.min(last.endMs, toMs) : 0;
  }
}
