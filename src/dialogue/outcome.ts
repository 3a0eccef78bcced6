/** What is to be done for the caller once the talk is over. */
export type FollowUp =
  /** Never call this number again. */
  | { kind: 'suppress' }
  /** Call again. */
  | CallBack;

/** Another call that was agreed on. */
export interface CallBack {
  kind: 'call_back';
  /** Epoch milliseconds; null when no time was agreed on. */
  at: number | null;
  /** The IANA zone in which the time was meant. */
  timeZone: string;
  /** How the agent put it. */
  said: string;
}

/** What the dialogue made of the call, for its analysis. */
export interface Outcome {
  /** The name of what the caller wanted or did, such as `confirm_appointment`; null when nothing can be said. */
  intent: string | null;
  /** Whether the purpose of the call was reached; null when the agent has no notion of it. */
  resolutionAchieved: boolean | null;
  /** Answers by the name of the question, such as `{ "slot": "morning" }`. */
  answers: Readonly<Record<string, string>>;
  /** The same as the agent says them: `Tuesday, December 1st`. */
  said?: Readonly<Record<string, string>> | null;
  /** Names of those that are free speech, as it was heard: a message, and not a day or a choice. */
  inOwnWords?: readonly string[];
  /** One sentence on what happened, in the words of the agent's author; the summary of the call begins with it. */
  summary?: string | null;
  /** The last thing agreed on; null when there is nothing to do. */
  followUp?: FollowUp | null;
}
