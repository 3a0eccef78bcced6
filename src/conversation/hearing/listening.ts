import type { Transcript, TurnBelief } from '#speech/stt.js';
import type { ConversationOptions, Entry } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { UtteranceSegmenter } from './utterance-segmenter.js';
import { SttLink } from './stt-link.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';
import type { ResponseMarks } from './turn-timing.js';
import { Understanding } from './understanding.js';

/** What a talk is told of what its caller says. */
export interface ListeningHandlers {
  onPartial(words: string): void;
  /** What the recogniser believes of the caller's turn. */
  onEndOfTurn(belief: TurnBelief): void;
  /** `greeting`: how a machine greets, where it was that. */
  onEntry(entry: Entry, greeting?: string): void;
  /** The caller's turn is understood, all of it. */
  onWords(heard: Transcript, response: ResponseMarks): void;
  /** What they said is no turn, and nobody answers it. */
  onUnanswered(heard: Transcript): void;
  /** What sounded like a turn was no speech. */
  onNothing(): void;
  onFailure(error: unknown): void;
}

/** The listening half of a talk. */
export interface Listening {
  link: SttLink;
  understanding: Understanding;
  segmenter: UtteranceSegmenter;
}

/** Puts it together: the way to the recogniser, what it makes of speech, and the segmenter before it. */
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
