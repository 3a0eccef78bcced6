import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueEvent } from '#dialogue/dialogue-manager.js';
import { AnsweringMachineDetector, type Answerer } from './answering-machine-detector.js';
import { takesNoMessage } from './answer-phrases.js';
import type { ConversationOptions, Entry } from '#conversation/talk/conversation.js';
import { GreetingEndDetector } from './greeting-end.js';

/** The options of {@link AnsweringParty}. */
interface AnsweringPartyParts extends Pick<
  ConversationOptions,
  'line' | 'isOutbound' | 'voicemail' | 'observer'
> {
  language: CallLanguage;
  /** Passes an event to the agent's dialogue manager. */
  note(event: DialogueEvent): void;
}

/**
 * The other party of a call. On an outbound call, detects answering machines and call screening, and applies the
 * agent's voicemail setting to a machine. On every call, decides how speech without an answer reaches the dialogue
 * manager. Used by `LiveConversation` and `RealtimeConversation`.
 */
export class AnsweringParty {
  /** Null for an inbound call: a caller is a person. */
  readonly #detector: AnsweringMachineDetector | null;
  readonly #options: AnsweringPartyParts;
  readonly #onMachine: (action: 'hang_up' | 'leave_message') => void;
  /** True once a machine is detected, unless the agent treats machines like people. */
  #isMachine = false;
  /** True if the conversation ended during the customer's turn: the words of that turn, still to come, are a reply. */
  #isLastReplyDue = false;
  /** Waits for the end of the machine's greeting; null unless a message will be left. */
  #greetingEnd: GreetingEndDetector | null = null;

  /**
   * @param onMachine called when a machine is detected, with the action of the voicemail setting; not called if the
   * agent treats machines like people. Called a second time, with `hang_up`, if the machine takes no message
   */
  constructor(options: AnsweringPartyParts, onMachine: (action: 'hang_up' | 'leave_message') => void) {
    this.#options = options;
    this.#onMachine = onMachine;
    const { language, line, isOutbound } = options;
    const callbacks = {
      onAnswerer: (answerer: Answerer) => this.#handleAnswerer(answerer),
      onBeep: () => this.#greetingEnd?.greetingEnded(),
    };
    this.#detector = isOutbound
      ? new AnsweringMachineDetector({ language, sampleRateHz: line.sampleRateHz, ...callbacks })
      : null;
  }

  /** Cause of the end when the agent hangs up: the machine that answered, or else the agent's own decision. */
  get endedBy(): 'machine' | 'agent' {
    return this.#isMachine ? 'machine' : 'agent';
  }

  /** The message for the machine; empty if none is left. */
  get message(): string {
    const { voicemail } = this.#options;
    return voicemail?.action === 'leave_message' ? voicemail.message : '';
  }

  /** Takes the party's next frame, for {@link AnsweringMachineDetector.hear}. */
  hear(frame: Int16Array, utteranceMs: number, isWaiting: boolean): void {
    this.#detector?.hear(frame, utteranceMs, isWaiting);
  }

  /** Takes a transcribed utterance of the party. */
  takeTranscript(entry: Pick<Entry, 'text' | 'startMs' | 'endMs'>): void {
    this.#detector?.takeTranscript(entry);
    const { language } = this.#options;
    // A machine that stores no message is hung up on.
    if (this.#greetingEnd && takesNoMessage(entry.text, language.current)) this.#onMachine('hang_up');
  }

  /** Reports speech that gets no answer to the dialogue manager, as `overheard`. A machine's speech is ignored. */
  reportOverheard(heard: Transcript): void {
    if (!this.#isMachine) this.#note({ kind: 'overheard', transcript: heard });
  }

  /** The conversation is over. If it was the customer's turn, speech in progress is the customer's last reply. */
  conversationEnded(isCustomersTurn: boolean): void {
    this.#isLastReplyDue = isCustomersTurn;
  }

  /** Takes the words of the last utterance, which arrive after the end: a last reply, or speech without an answer. */
  takeLastWords(heard: Transcript): void {
    if (!this.#isLastReplyDue || this.#isMachine) return this.reportOverheard(heard);
    this.#isLastReplyDue = false;
    this.#note({ kind: 'last_words', transcript: heard });
  }

  /** The carrier reports a machine. `greetingEnded`: its greeting is over, and it records now. */
  machineAnswered(greetingEnded: boolean): void {
    this.#detector?.machineAnswered();
    if (greetingEnded) this.#greetingEnd?.greetingEnded();
  }

  /** Called every 20 ms; true when it is time to leave the message. */
  isTimeForMessage(isSpeaking: boolean): boolean {
    return this.#greetingEnd?.tick(isSpeaking) ?? false;
  }

  #note(event: DialogueEvent): void {
    this.#options.note(event);
  }

  /** Reports an answerer that is no person, and applies the voicemail setting to a machine. */
  #handleAnswerer(answerer: Answerer): void {
    this.#options.observer.onAnswerer?.(answerer);
    if (answerer === 'screening') this.#note({ kind: 'screened' });
    if (answerer !== 'machine') return;
    const { action } = this.#options.voicemail ?? { action: 'hang_up' };
    if (action === 'continue') return;
    this.#isMachine = true;
    if (action === 'leave_message') this.#greetingEnd = new GreetingEndDetector();
    this.#onMachine(action);
  }
}
