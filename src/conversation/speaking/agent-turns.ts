import { AgentTurn, type AgentTurnParts, type Think, type TurnPurpose } from './agent-turn.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { ConversationObserver } from '#conversation/talk/conversation.js';
import type { ResponseMarks } from '#conversation/hearing/turn-timing.js';

export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose | 'language'> {
  language: CallLanguage;
  /** Silences the agent at once; returns the stream position heard, at least `settledMs`. */
  clearPlayout(settledMs: number): number;
  /** A turn is over, or was cut. */
  onStopped(isPrompt: boolean): void;
  dialogue: DialogueManager;
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

const UNASKED: TurnPurpose = { isPrompt: false, response: null, wordless: 'listen' };
/** A turn without words ends the call. */
const LAST: TurnPurpose = { ...UNASKED, wordless: 'end' };

/** The agent's turns, one at a time, and their reports when they end. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  #timed = 0;
  /** End of the agent's sound in the newest transcript entry, in milliseconds of the stream. */
  #toldMs = 0;
  /**
   * Stream position heard when the agent was silenced. Null while it is not silenced; Infinity if the sound sent could
   * not be cleared.
   */
  #heardUpToMs: number | null = null;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  /** The turn being prepared, spoken or played; it ends, or is cut, before another begins. */
  get current(): AgentTurn | null {
    return this.#current;
  }

  /** The agent's first turn. */
  open(): void {
    this.#ask({ kind: 'opening' }, UNASKED);
  }

  /** Answers the caller. An answer still in preparation was based on half a sentence and is taken back unheard. */
  reply(heard: Transcript, response: ResponseMarks): void {
    const { dialogue, clock } = this.#parts;
    if (this.#current && !this.#current.by) {
      dialogue.note({ kind: 'interrupted', heard: '' });
      dialogue.note({ kind: 'taken_back' });
    }
    this.#drop();
    response.wordsAtMs = clock.monotonicMs();
    this.#ask({ kind: 'heard', transcript: heard }, { ...UNASKED, response });
  }

  /** Speaks to a silent caller; `prompts` is the number of prompts in a row. */
  prompt(prompts: number): void {
    this.#ask({ kind: 'silence', prompts }, { ...UNASKED, isPrompt: true });
  }

  /** Continues after a failed transfer, or hangs up if the dialogue manager has nothing to say. */
  transferFailed(): void {
    this.#ask({ kind: 'transfer_failed' }, LAST);
  }

  /** Continues with a caller who talked with a person, or hangs up if the dialogue manager has nothing to say. */
  returned(): void {
    this.#ask({ kind: 'returned' }, LAST);
  }

  /** Says goodbye to a silent caller, or hangs up without a word. */
  goodbye(): void {
    this.#ask({ kind: 'goodbye' }, LAST);
  }

  /** Says a text that cannot be interrupted, and hangs up. */
  leaveMessage(text: string): void {
    this.#begin(() => messageOf(text), UNASKED);
  }

  /** Says an operator's text, and listens again. */
  sayForOperator(text: string): void {
    this.#begin(() => wordsOf(text), { ...UNASKED, by: 'operator' });
  }

  /** Falls silent in mid-sentence, at once even if the peer plays with a delay. */
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

  /** Discards a turn that was not heard. */
  #drop(): void {
    this.#current?.drop();
    this.#current = null;
    this.#heardUpToMs = null;
  }

  /** Ends and reports the present turn; null if there is none. Sound that is not waited for any longer is cleared. */
  close(): AgentTurn | null {
    const turn = this.#current;
    if (turn?.hasSounded && this.#parts.heardMs() < turn.endMs) this.cut();
    else if (this.#finish()) this.#tell(turn!, { heardMs: Infinity, interrupted: false });
    return turn;
  }

  /** Ends the turn at once. The words heard are reported, also to the dialogue manager. */
  cut(): void {
    if (this.#current?.hasSounded) this.#silence();
    const heardMs = this.#heardUpToMs ?? Infinity;
    const turn = this.#finish();
    if (turn) this.#tell(turn, { heardMs, interrupted: true });
  }

  #ask(input: TurnInput, purpose: TurnPurpose): void {
    this.#begin((signal) => this.#parts.dialogue.turn(input, signal), purpose);
  }

  #begin(think: Think, purpose: TurnPurpose): void {
    const heardMs = () => this.#heardUpToMs ?? this.#parts.heardMs();
    const language = this.#parts.language.tag;
    this.#current = new AgentTurn(think, { ...this.#parts, ...purpose, heardMs, language });
  }

  #silence(): void {
    if ((this.#heardUpToMs ?? Infinity) < Infinity) return;
    this.#heardUpToMs = this.#parts.clearPlayout(Math.max(this.#toldMs, this.#current?.settledMs ?? 0));
  }

  #finish(): AgentTurn | null {
    const turn = this.#current;
    this.#drop();
    if (turn) this.#parts.onStopped(turn.isPrompt);
    return turn;
  }

  #tell(turn: AgentTurn, { heardMs, interrupted }: { heardMs: number; interrupted: boolean }): void {
    const { observer, dialogue, language } = this.#parts;
    const said = turn.entry(interrupted, heardMs);
    const entry = said && language.canChange ? { language: turn.language, ...said } : said;
    if (entry) {
      this.#toldMs = entry.endMs;
      observer.onEntry(entry);
    }
    const timing = turn.timing(this.#timed + 1, interrupted);
    if (timing) {
      this.#timed += 1;
      observer.onTurn(timing);
    }
    if (turn.by) return entry ? dialogue.note({ kind: 'said_for_agent', text: entry.text }) : undefined;
    if (interrupted) dialogue.note({ kind: 'interrupted', heard: entry?.text ?? '' });
  }
}

async function* wordsOf(text: string): AsyncGenerator<DialogueOutput> {
  yield { kind: 'say', text, interruptible: true };
}

async function* messageOf(text: string): AsyncGenerator<DialogueOutput> {
  yield { kind: 'say', text, interruptible: false };
  yield { kind: 'end' };
}
