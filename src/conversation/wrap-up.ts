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

/** Timeout for the words of the last utterance at the end of a call. */
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
 * Cleans up after a conversation. The caller's last utterance is transcribed if its words arrive in time, and an
 * unfinished DTMF entry is written down. Typed input that is no longer answered counts as overheard, not as a reply: a
 * do-not-call request in it still takes effect.
 */
export async function wrapUp(parts: WrapUpParts): Promise<Outcome> {
  const { clock, abort, segmenter, link, understanding, dtmf, party } = parts;
  for (let kept = understanding.nextKept(); kept; kept = understanding.nextKept()) party.overhear(kept);
  const pressed = dtmf.takeIncomplete();
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
