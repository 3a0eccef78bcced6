import type { Transcript, TurnBelief } from '#speech/stt.js';
import type { ConversationOptions, Entry } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { UtteranceSegmenter } from './utterance-segmenter.js';
import { SttLink } from './stt-link.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';
import type { ResponseMarks } from './turn-timing.js';
import { Understanding } from './understanding.js';

/** What the listening half of a talk reports about the caller's speech. */
export interface ListeningHandlers {
  onPartial(words: string): void;
  /** The recogniser's belief about the end of the caller's turn. */
  onEndOfTurn(belief: TurnBelief): void;
  /** @param greeting the greeting of an answering machine, if the words are one */
  onEntry(entry: Entry, greeting?: string): void;
  /** The caller's whole turn is transcribed. */
  onWords(heard: Transcript, response: ResponseMarks): void;
  /** Speech that is no turn, so the agent does not answer it. */
  onUnanswered(heard: Transcript): void;
  /** The sound that seemed to be a turn was no speech. */
  onNothing(): void;
  onFailure(error: unknown): void;
}

/** The listening half of a talk. */
export interface Listening {
  link: SttLink;
  understanding: Understanding;
  segmenter: UtteranceSegmenter;
}

/** Wires the segmenter, the link to the recogniser, and the utterance queue behind it. */
export function createListening(
  { line, agent, isOutbound }: Pick<ConversationOptions, 'line' | 'agent' | 'isOutbound'>,
  parts: ConversationParts,
  made: { settings: TurnSettings; signal: AbortSignal },
  handlers: ListeningHandlers,
): Listening {
  const { settings, signal } = made;
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
  const understanding = new Understanding({ ...handlers, link, noiseUpToMs: settings.noiseUpToMs });
  return {
    link,
    understanding,
    segmenter: new UtteranceSegmenter({ ...parts, link, sampleRateHz, settings }),
  };
}
