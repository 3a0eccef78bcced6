import type { Transcript, TurnBelief } from '#speech/stt.js';
import type { ConversationOptions, Entry } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { UtteranceSegmenter } from './utterance-segmenter.js';
import { SttLink } from './stt-link.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';
import type { ResponseMarks } from './turn-timing.js';
import { UtteranceQueue } from './utterance-queue.js';

/**
 * The events of one person's speech, reported by the objects of {@link createListening}. The person is the caller or,
 * for `Operator`, the operator.
 */
export interface ListeningHandlers {
  /** Partial words of the utterance in progress. */
  onPartial(words: string): void;
  /** The recogniser's belief about the end of the person's turn. */
  onEndOfTurn(belief: TurnBelief): void;
  /**
   * A transcript entry is complete.
   * @param greeting phrases of an answering machine's greeting, if the recogniser has found some
   */
  onEntry(entry: Entry, greeting?: string): void;
  /**
   * All words of the caller's turn so far are known, and the agent may answer them. Never called for an operator, who
   * gets no answer.
   * @param response when the turn ended, to measure how fast the agent responds
   */
  onWords(heard: Transcript, response: ResponseMarks): void;
  /** An utterance that the agent does not answer is transcribed, such as an operator's. The text is empty for noise. */
  onUnanswered(heard: Transcript): void;
  /** The utterance that was to be answered was noise, and no words before it wait for an answer. */
  onNothing(): void;
  /** The recogniser has failed for good, or another of these handlers has thrown. */
  onFailure(error: unknown): void;
}

/** The objects that turn one person's audio into turns: segmenter, recogniser link and utterance queue. */
export interface Listening {
  link: SttLink;
  utterances: UtteranceQueue;
  segmenter: UtteranceSegmenter;
}

/**
 * Creates and connects the objects that listen to one person: the segmenter cuts audio into utterances, the link gives
 * them to the recogniser, and the queue joins their words to turns. For `LiveConversation` and `Operator`.
 */
export function createListening(
  { line, agent, isOutbound }: Pick<ConversationOptions, 'line' | 'agent' | 'isOutbound'>,
  parts: ConversationParts,
  turnContext: { settings: TurnSettings; signal: AbortSignal },
  handlers: ListeningHandlers,
): Listening {
  const { settings, signal } = turnContext;
  const { sampleRateHz } = line;
  const { onPartial, onEndOfTurn, onFailure } = handlers;
  const link = new SttLink({
    ...parts,
    stt: agent.stt,
    languages: agent.language.all,
    sampleRateHz,
    mayBeMachine: isOutbound === true,
    signal,
    onPartial,
    onEndOfTurn,
    onFailure,
  });
  const utterances = new UtteranceQueue({ ...handlers, link, noiseUpToMs: settings.noiseUpToMs });
  return {
    link,
    utterances,
    segmenter: new UtteranceSegmenter({ ...parts, link, sampleRateHz, settings }),
  };
}
