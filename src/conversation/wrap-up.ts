import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { AnsweringParty } from '#conversation/answering/answering-party.js';
import type { UtteranceSegmenter } from '#conversation/hearing/utterance-segmenter.js';
import type { SttLink } from '#conversation/hearing/stt-link.js';
import type { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import type { Understanding } from '#conversation/hearing/understanding.js';
import { within } from '#conversation/talk/within.js';

/** How long the end of a call waits for the words of the last utterance. */
const LAST_WORDS_TIMEOUT_MS = 2_000;

export interface WrapUpParts {
  clock: Clock;
  log: Log;
  abort: AbortController;
  segmenter: UtteranceSegmenter;
  link: SttLink;
  understanding: Understanding;
  dtmf: DtmfInput;
  dialogue: DialogueManager;
  party: Pick<AnsweringParty, 'lastWords' | 'overhear'>;
}

/**
 * Ends what still works for a talk that is over; what the caller was just saying is written down, if words come soon,
 * and the number that they had pressed, whose end nobody waits for. What they had typed and nobody answers any more is
 * no reply, and forbids what it forbids.
 */
export async function wrapUp(parts: WrapUpParts): Promise<Outcome> {
  const { clock, abort, segmenter, link, understanding, dtmf, party } = parts;
  for (let kept = understanding.nextKept(); kept; kept = understanding.nextKept()) party.overhear(kept);
  const pressed = dtmf.takeRest();
  if (pressed !== '') party.lastWords(understanding.type(pressed, segmenter.positionMs));
  const lastUtterance = segmenter.cut();
  if (lastUtterance) understanding.note(lastUtterance, (heard) => party.lastWords(heard));
  const limit = { clock, limitMs: LAST_WORDS_TIMEOUT_MS, signal: abort.signal, what: 'the last words' };
  await within(understanding.settled(), limit).catch(() => {});
  abort.abort();
  await understanding.settled();
  link.close();
  segmenter.close();
  const outcome = outcomeOf(parts);
  parts.dialogue.close?.();
  return outcome;
}

function outcomeOf({ dialogue, log }: Pick<WrapUpParts, 'dialogue' | 'log'>): Outcome {
  try {
    return dialogue.outcome();
  } catch (error) {
    log.warn({ err: error }, 'the dialogue manager has no outcome');
    return { intent: null, resolutionAchieved: null, answers: {} };
  }
}
