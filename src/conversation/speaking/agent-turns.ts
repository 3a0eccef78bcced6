import { AgentTurn, type AgentTurnParts, type Think, type TurnPurpose } from './agent-turn.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { ConversationObserver } from '#conversation/talk/conversation.js';
import type { ResponseMarks } from '#conversation/hearing/turn-timing.js';

export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose | 'language'> {
  language: CallLanguage;
  /** Falls silent at once; up to which moment of the stream it was heard, which is not before `settledMs`. */
  clearPlayout(settledMs: number): number;
  /** A turn is over, or was cut. */
  onStopped(isPrompt: boolean): void;
  dialogue: DialogueManager;
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

const UNASKED: TurnPurpose = { isPrompt: false, response: null, wordless: 'listen' };
/** A turn without words ends the call. */
const LAST: TurnPurpose = { ...UNASKED, wordless: 'end' };

/** The agent's turns, one at a time, and what is told of each when it is over. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  #timed = 0;
  /** The end of what was told as heard. */
  #toldMs = 0;
  /**
   * Up to which moment the agent was heard when it fell silent; null while it has not been silenced, and without end
   * while what was sent could not be thrown away.
   */
  #heardUpToMs: number | null = null;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  /** The turn that is being thought, spoken or played; it is over, or cut, before another begins. */
  get current(): AgentTurn | null {
    return this.#current;
  }

  /** The agent opens the talk. */
  open(): void {
    this.#ask({ kind: 'opening' }, UNASKED);
  }

  /**
   * It answers the caller. An answer that was still being thought of was to half a sentence, and nobody heard of it.
   */
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

  /** It speaks to a caller who says nothing, so often in a row. */
  prompt(prompts: number): void {
    this.#ask({ kind: 'silence', prompts }, { ...UNASKED, isPrompt: true });
  }

  /** It goes on after a transfer that could not be made, or hangs up where it has nothing to say to that. */
  transferFailed(): void {
    this.#ask({ kind: 'transfer_failed' }, LAST);
  }

  /** It goes on with a caller who was with somebody else, or hangs up where there is nothing more to say. */
  returned(): void {
    this.#ask({ kind: 'returned' }, LAST);
  }

  /** It says goodbye to a caller who says nothing, or hangs up without a word. */
  goodbye(): void {
    this.#ask({ kind: 'goodbye' }, LAST);
  }

  /** It says something of its own to the end, and hangs up. */
  leaveMessage(text: string): void {
    this.#begin(() => messageOf(text), UNASKED);
  }

  /** It says what an operator wants, and listens again. */
  sayForOperator(text: string): void {
    this.#begin(() => wordsOf(text), { ...UNASKED, by: 'operator' });
  }

  /** Falls silent in mid-sentence, at once also where the peer plays with a delay. */
  pause(): void {
    this.#silence();
    this.#current?.pause();
  }

  /** Goes on from before the word that was cut. */
  resume(): void {
    const heardMs = this.#heardUpToMs ?? Infinity;
    this.#heardUpToMs = null;
    this.#current?.resume(heardMs);
  }

  /** Forgets a turn that nobody has heard anything of. */
  #drop(): void {
    this.#current?.drop();
    this.#current = null;
    this.#heardUpToMs = null;
  }

  /** The turn is over, and told; null when there is none. What is not waited for any longer is thrown away. */
  close(): AgentTurn | null {
    const turn = this.#current;
    if (turn?.hasSounded && this.#parts.heardMs() < turn.endMs) this.cut();
    else if (this.#finish()) this.#tell(turn!, { heardMs: Infinity, interrupted: false });
    return turn;
  }

  /** Ends the turn here and now. What could be heard of it is told, also to the thinking. */
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
    const entry = said && language.mayChange ? { language: turn.language, ...said } : said;
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
