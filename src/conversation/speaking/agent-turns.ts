import { AgentTurn, type AgentTurnParts, type RequestTurn, type TurnPurpose } from './agent-turn.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { ConversationObserver } from '#conversation/talk/conversation.js';
import type { ResponseMarks } from '#conversation/hearing/turn-timing.js';

/** The dependencies of {@link AgentTurns}. */
export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose | 'language'> {
  language: CallLanguage;
  /** Silences the agent at once, and returns the stream position heard; see `Channel.clearPlayout`. */
  clearPlayout(certainlyHeardMs: number): number;
  /** A turn is over, or was cut. */
  onStopped(isPrompt: boolean): void;
  dialogue: DialogueManager;
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

/** The agent listens after the turn if its outputs decide nothing else. */
const LISTEN_AFTERWARDS: TurnPurpose = { isPrompt: false, response: null, defaultNext: 'listen' };
/** The call ends after the turn if its outputs decide nothing else. */
const END_AFTERWARDS: TurnPurpose = { ...LISTEN_AFTERWARDS, defaultNext: 'end' };

/**
 * The agent's turns, one at a time. Requests each turn from the dialogue manager, and when it ends reports the words
 * heard and the timing to the observer. Used by `LiveConversation`.
 */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  /** Number of turns whose timing was reported. */
  #timedTurns = 0;
  /** End of the agent's sound in the newest transcript entry, in milliseconds of the stream. */
  #reportedMs = 0;
  /**
   * Stream position heard when the agent was silenced. Null while it is not silenced; Infinity if the sound sent could
   * not be cleared.
   */
  #heardUpToMs: number | null = null;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  /** The turn being prepared, spoken or played; null between turns. */
  get current(): AgentTurn | null {
    return this.#current;
  }

  /** Begins the agent's first turn. */
  open(): void {
    this.#request({ kind: 'opening' }, LISTEN_AFTERWARDS);
  }

  /**
   * Answers the caller. An answer still in preparation was for the first half of this turn: it is taken back unheard.
   */
  reply(heard: Transcript, response: ResponseMarks): void {
    const { dialogue, clock } = this.#parts;
    if (this.#current && !this.#current.by) {
      dialogue.note({ kind: 'interrupted', heard: '' });
      dialogue.note({ kind: 'taken_back' });
    }
    this.#discard();
    response.wordsAtMs = clock.monotonicMs();
    this.#request({ kind: 'heard', transcript: heard }, { ...LISTEN_AFTERWARDS, response });
  }

  /** Speaks to a silent caller; `prompts` is the number of prompts in a row. */
  prompt(prompts: number): void {
    this.#request({ kind: 'silence', prompts }, { ...LISTEN_AFTERWARDS, isPrompt: true });
  }

  /** Continues after a failed transfer, or hangs up if the dialogue manager has nothing to say. */
  transferFailed(): void {
    this.#request({ kind: 'transfer_failed' }, END_AFTERWARDS);
  }

  /** Continues with a caller who talked with a person, or hangs up if the dialogue manager has nothing to say. */
  returned(): void {
    this.#request({ kind: 'returned' }, END_AFTERWARDS);
  }

  /** Says goodbye to a silent caller, or hangs up without a word. */
  goodbye(): void {
    this.#request({ kind: 'goodbye' }, END_AFTERWARDS);
  }

  /** Says a text that cannot be interrupted, and hangs up: the turn's last output is `end`. */
  leaveMessage(text: string): void {
    this.#begin(() => voicemailMessage(text), LISTEN_AFTERWARDS);
  }

  /** Says an operator's text, and listens again. */
  sayForOperator(text: string): void {
    this.#begin(() => operatorWords(text), { ...LISTEN_AFTERWARDS, by: 'operator' });
  }

  /** Falls silent in mid-sentence, at once if the peer can clear its playout buffer. */
  pause(): void {
    this.#silence();
    this.#current?.pause();
  }

  /** Resumes from before the word that was cut. */
  resume(): void {
    const heardMs = this.#heardUpToMs ?? Infinity;
    this.#heardUpToMs = null;
    this.#current?.resume(heardMs);
  }

  /** Cancels the present turn without a report. */
  #discard(): void {
    this.#current?.cancel();
    this.#current = null;
    this.#heardUpToMs = null;
  }

  /**
   * Ends, reports and returns the present turn, which was played; null if there is none. If a peer with a long playout
   * lag has not played all of its sound, the turn is cut instead.
   */
  close(): AgentTurn | null {
    const turn = this.#current;
    if (turn?.hasSounded && this.#parts.heardMs() < turn.endMs) this.cut();
    else if (this.#finish()) this.#report(turn!, { heardMs: Infinity, interrupted: false });
    return turn;
  }

  /** Ends the turn at once, and reports the words heard, also to the dialogue manager. */
  cut(): void {
    if (this.#current?.hasSounded) this.#silence();
    const heardMs = this.#heardUpToMs ?? Infinity;
    const turn = this.#finish();
    if (turn) this.#report(turn, { heardMs, interrupted: true });
  }

  #request(input: TurnInput, purpose: TurnPurpose): void {
    this.#begin((signal) => this.#parts.dialogue.turn(input, signal), purpose);
  }

  #begin(requestTurn: RequestTurn, purpose: TurnPurpose): void {
    const heardMs = () => this.#heardUpToMs ?? this.#parts.heardMs();
    const language = this.#parts.language.tag;
    this.#current = new AgentTurn(requestTurn, { ...this.#parts, ...purpose, heardMs, language });
  }

  /** Clears the peer's playout buffer, unless that was done for this turn. */
  #silence(): void {
    if ((this.#heardUpToMs ?? Infinity) < Infinity) return;
    this.#heardUpToMs = this.#parts.clearPlayout(
      Math.max(this.#reportedMs, this.#current?.certainlyHeardMs ?? 0),
    );
  }

  /** Ends the present turn without a report, calls `onStopped`, and returns the turn; null if there is none. */
  #finish(): AgentTurn | null {
    const turn = this.#current;
    this.#discard();
    if (turn) this.#parts.onStopped(turn.isPrompt);
    return turn;
  }

  /** Reports the transcript entry and the timing of a turn that has ended, also to the dialogue manager. */
  #report(turn: AgentTurn, { heardMs, interrupted }: { heardMs: number; interrupted: boolean }): void {
    const { observer, dialogue, language } = this.#parts;
    const entryOfTurn = turn.entry(interrupted, heardMs);
    const entry =
      entryOfTurn && language.canChange ? { language: turn.language, ...entryOfTurn } : entryOfTurn;
    if (entry) {
      this.#reportedMs = entry.endMs;
      observer.onEntry(entry);
    }
    const timing = turn.timing(this.#timedTurns + 1, interrupted);
    if (timing) {
      this.#timedTurns += 1;
      observer.onTurn(timing);
    }
    if (turn.by) return entry ? dialogue.note({ kind: 'said_for_agent', text: entry.text }) : undefined;
    if (interrupted) dialogue.note({ kind: 'interrupted', heard: entry?.text ?? '' });
  }
}

async function* operatorWords(text: string): AsyncGenerator<DialogueOutput> {
  yield { kind: 'say', text, interruptible: true };
}

async function* voicemailMessage(text: string): AsyncGenerator<DialogueOutput> {
  yield { kind: 'say', text, interruptible: false };
  yield { kind: 'end' };
}
