import type { Clock } from '#kernel/time/clock.js';
import type { ModelPart } from './language-model.js';

/** A piece of an answer, or the advice to speak what there is: its sentence may not end for long. */
export type PacedPart = ModelPart | { type: 'flush' };

/** A caller who hears nothing for longer says "Hello?", which cancels the answer (pipecat#5842). */
const LONGEST_SENTENCE_MS = 6_000;
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s*$/;

/** An answer as it comes, with a `flush` wherever text has waited too long for the end of its sentence. */
export async function* pacedAnswer(
  answer: AsyncIterable<ModelPart>,
  { clock, limitMs = LONGEST_SENTENCE_MS }: { clock: Clock; limitMs?: number },
): AsyncGenerator<PacedPart, void> {
  const parts = answer[Symbol.asyncIterator]();
  /** When the sentence that is open was begun (monotonic); null where none is. */
  let openSinceMs: number | null = null;
  let next = parts.next();
  try {
    for (;;) {
      const flushAtMs: number | null = openSinceMs === null ? null : openSinceMs + limitMs;
      const part: IteratorResult<ModelPart, unknown> | 'late' = await orAt(next, flushAtMs, clock);
      if (part === 'late') {
        openSinceMs = null;
        yield { type: 'flush' };
        continue;
      }
      if (part.done) return;
      next = parts.next();
      next.catch(() => {});
      if (part.value.type === 'text')
        openSinceMs = SENTENCE_END.test(part.value.text) ? null : (openSinceMs ?? clock.monotonicMs());
      yield part.value;
    }
  } finally {
    parts.return?.().catch(() => {});
  }
}

function orAt<Result>(work: Promise<Result>, atMs: number | null, clock: Clock): Promise<Result | 'late'> {
  if (atMs === null) return work;
  let cancel = () => {};
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(atMs - clock.monotonicMs(), () => resolve('late'));
  });
  return Promise.race([work, late]).finally(cancel);
}
