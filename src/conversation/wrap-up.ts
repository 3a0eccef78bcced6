import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { AnsweringParty } from '#conversation/answering/answering-party.js';
import type { UtteranceSegmenter } from '#conversation/hearing/utterance-segmenter.js';
import type { SttLink } from '#conversation/hearing/stt-link.js';
import type { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import type { UtteranceQueue } from '#conversation/hearing/utterance-queue.js';
import { within } from '#conversation/talk/within.js';

/** Timeout for the words of the last utterance at the end of a call. */
const LAST_WORDS_TIMEOUT_MS = 2_000;

/** The objects of a conversation that need an end. */
export interface WrapUpParts {
  clock: Clock;
  log: Log;
  abort: AbortController;
  segmenter: UtteranceSegmenter;
  link: SttLink;
  utterances: UtteranceQueue;
  dtmf: DtmfInput;
  dialogue: DialogueManager;
  party: Pick<AnsweringParty, 'takeLastWords' | 'reportOverheard'>;
}

/**
 * Cleans up after a `LiveConversation`, and returns its outcome. The caller's last words are the last utterance, if it
 * is transcribed in time, and an unfinished DTMF entry. Typed input that is no longer answered counts as overheard, not
 * as a reply: a do-not-call request in it still takes effect.
 */
export async function wrapUp(parts: WrapUpParts): Promise<Outcome> {
  const { clock, abort, segmenter, link, utterances, dtmf, party } = parts;
  // Typed input that waited for its reply.
  for (let kept = utterances.takeKept(); kept; kept = utterances.takeKept()) party.reportOverheard(kept);
  const pressed = dtmf.takeIncomplete();
  if (pressed !== '') party.takeLastWords(utterances.addTyped(pressed, segmenter.positionMs));
  const lastUtterance = segmenter.cut();
  if (lastUtterance) utterances.transcribeUnanswered(lastUtterance, (heard) => party.takeLastWords(heard));
  const limit = { clock, limitMs: LAST_WORDS_TIMEOUT_MS, signal: abort.signal, name: 'the last words' };
  await within(utterances.settled(), limit).catch(() => {});
  // Cancels the transcription of words that are late: the queue then settles at once.
  abort.abort();
  await utterances.settled();
  link.close();
  segmenter.close();
  const outcome = outcomeOf(parts);
  parts.dialogue.close?.();
  return outcome;
}

/** The outcome of the dialogue manager; an empty outcome if it fails. */
function outcomeOf({ dialogue, log }: Pick<WrapUpParts, 'dialogue' | 'log'>): Outcome {
  try {
    return dialogue.outcome();
  } catch (error) {
    log.warn({ err: error }, 'the dialogue manager has no outcome');
    return { intent: null, resolutionAchieved: null, answers: {} };
  }
}
