interface Stretch {
  startMs: number;
  endMs: number;
}

/**
 * When the sound of one turn was sent, and how much of it was heard up to a moment. All times are milliseconds of the
 * stream. What was sent without a break is one stretch; the breaks between them are nothing that somebody has missed.
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

  /** What was sent up to here was heard, however far behind the peer says that it is after that. */
  get settledMs(): number {
    return this.#settledMs;
  }

  /** For every frame: it allocates only after a break. */
  add(startMs: number, lengthMs: number): void {
    const last = this.#stretches.at(-1);
    if (last?.endMs === startMs) last.endMs += lengthMs;
    else this.#stretches.push({ startMs, endMs: startMs + lengthMs });
  }

  /** What was sent up to this moment was heard for certain, and nothing that was sent after it ever will be. */
  settle(heardMs: number): void {
    const stretches = this.#stretches;
    while (stretches.length > 1 && stretches.at(-1)!.startMs >= heardMs) stretches.pop();
    const last = stretches.at(-1);
    if (!last) return;
    last.endMs = Math.max(last.startMs, Math.min(last.endMs, heardMs));
    this.#settledMs = last.endMs;
  }

  /** How much of it was not heard up to a moment. */
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

  /** The end of what was heard of it up to a moment; 0 for nothing. */
  heardEndMs(heardMs: number): number {
    const toMs = Math.max(heardMs, this.#settledMs);
    const last = this.#stretches.findLast(({ startMs }) => startMs < toMs);
    return last ? Math.min(last.endMs, toMs) : 0;
  }
}
