import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueEvent } from '#dialogue/dialogue-manager.js';
import { AnswerWatch, type Answerer } from './answer-watch.js';
import { takesNoMessage } from './answer-phrases.js';
import type { ConversationOptions, Entry } from '#conversation/talk/conversation.js';
import { MessageMoment } from './message-moment.js';

interface AnsweringPartyParts extends Pick<
  ConversationOptions,
  'line' | 'isOutbound' | 'voicemail' | 'observer'
> {
  language: CallLanguage;
  /** Told what the agent is to know of. */
  note(event: DialogueEvent): void;
}

/** Who has picked up the phone that rang for us, and what is done when it is a machine. */
export class AnsweringParty {
  /** Null where nobody was phoned: then it is a person who speaks. */
  readonly #watch: AnswerWatch | null;
  readonly #options: AnsweringPartyParts;
  readonly #onMachine: (action: 'hang_up' | 'leave_message') => void;
  /** It is not talked with. */
  #isMachine = false;
  #isLeftUnanswered = false;
  /** When to leave a message; null while no machine is known. */
  #moment: MessageMoment | null = null;

  /**
   * @param onMachine told what is done, unless machines are talked with like people; again where it takes no message
   */
  constructor(options: AnsweringPartyParts, onMachine: (action: 'hang_up' | 'leave_message') => void) {
    this.#options = options;
    this.#onMachine = onMachine;
    const { language, line, isOutbound } = options;
    const told = {
      onAnswerer: (answerer: Answerer) => this.#know(answerer),
      onBeep: () => this.#moment?.greetingEnded(),
    };
    this.#watch = isOutbound ? new AnswerWatch({ language, sampleRateHz: line.sampleRateHz, ...told }) : null;
  }

  /** On whose account the talk ends when the agent hangs up. */
  get endedBy(): 'machine' | 'agent' {
    return this.#isMachine ? 'machine' : 'agent';
  }

  /** What is to be said to it. */
  get message(): string {
    const { voicemail } = this.#options;
    return voicemail?.action === 'leave_message' ? voicemail.message : '';
  }

  /** See {@link AnswerWatch.hear}. */
  hear(frame: Int16Array, utteranceMs: number, isWaiting: boolean): void {
    this.#watch?.hear(frame, utteranceMs, isWaiting);
  }

  understand(entry: Pick<Entry, 'text' | 'startMs' | 'endMs'>): void {
    this.#watch?.understand(entry);
    const { language } = this.#options;
    // Nobody would ever hear a message that is left there.
    if (this.#moment && takesNoMessage(entry.text, language.current)) this.#onMachine('hang_up');
  }

  /** Something was said that is no reply, and nobody answers it. A machine means nothing by what it says. */
  overhear(heard: Transcript): void {
    if (!this.#isMachine) this.#note({ kind: 'overheard', transcript: heard });
  }

  /** The talk is over. `inTheirTurn`: what they were saying, if anything, is their last reply. */
  left(inTheirTurn: boolean): void {
    this.#isLeftUnanswered = inTheirTurn;
  }

  /** What they said last is understood. */
  lastWords(heard: Transcript): void {
    if (!this.#isLeftUnanswered || this.#isMachine) return this.overhear(heard);
    this.#isLeftUnanswered = false;
    this.#note({ kind: 'last_words', transcript: heard });
  }

  /** The carrier knows that it is a machine. `greetingEnded`: it listens now. */
  machineAnswered(greetingEnded: boolean): void {
    this.#watch?.machineAnswered();
    if (greetingEnded) this.#moment?.greetingEnded();
  }

  /** 20 ms later: whether the time has come to leave the message. */
  listensNow(isSpeaking: boolean): boolean {
    return this.#moment?.tick(isSpeaking) ?? false;
  }

  #note(event: DialogueEvent): void {
    this.#options.note(event);
  }

  #know(answerer: Answerer): void {
    this.#options.observer.onAnswerer?.(answerer);
    if (answerer === 'screening') this.#note({ kind: 'screened' });
    if (answerer !== 'machine') return;
    const { action } = this.#options.voicemail ?? { action: 'hang_up' };
    if (action === 'continue') return;
    this.#isMachine = true;
    if (action === 'leave_message') this.#moment = new MessageMoment();
    this.#onMachine(action);
  }
}
