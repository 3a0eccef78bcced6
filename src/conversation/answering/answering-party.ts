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
  /** Receives events for the agent's dialogue manager. */
  note(event: DialogueEvent): void;
}

/** The party that answered an outbound call, and the handling of a machine. */
export class AnsweringParty {
  /** Null for an inbound call: the caller is a person. */
  readonly #watch: AnswerWatch | null;
  readonly #options: AnsweringPartyParts;
  readonly #onMachine: (action: 'hang_up' | 'leave_message') => void;
  /** True for a machine that the agent does not talk with. */
  #isMachine = false;
  #isLeftUnanswered = false;
  /** The moment to leave a message; null unless a machine has answered. */
  #moment: MessageMoment | null = null;

  /**
   * @param onMachine receives the action, unless machines are treated like people; a second time, with `hang_up`, if
   * the machine takes no message
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

  /** Cause of the end when the agent hangs up: the machine that answered, or the agent. */
  get endedBy(): 'machine' | 'agent' {
    return this.#isMachine ? 'machine' : 'agent';
  }

  /** The message for the machine; empty if none is left. */
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
    // The machine stores no message.
    if (this.#moment && takesNoMessage(entry.text, language.current)) this.#onMachine('hang_up');
  }

  /** Reports speech that is no reply and gets no answer. A machine's speech is ignored. */
  overhear(heard: Transcript): void {
    if (!this.#isMachine) this.#note({ kind: 'overheard', transcript: heard });
  }

  /** The conversation is over. With `inTheirTurn`, speech in progress is the party's last reply. */
  left(inTheirTurn: boolean): void {
    this.#isLeftUnanswered = inTheirTurn;
  }

  /** The words of the last utterance are transcribed. */
  lastWords(heard: Transcript): void {
    if (!this.#isLeftUnanswered || this.#isMachine) return this.overhear(heard);
    this.#isLeftUnanswered = false;
    this.#note({ kind: 'last_words', transcript: heard });
  }

  /** The carrier reports a machine. `greetingEnded`: the machine records now. */
  machineAnswered(greetingEnded: boolean): void {
    this.#watch?.machineAnswered();
    if (greetingEnded) this.#moment?.greetingEnded();
  }

  /** Called every 20 ms; true when it is time to leave the message. */
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
