/* The result of a call by its dialogue manager. The calls module stores it, and acts on its follow-up. */

/** The action of the service after the call. */
export type FollowUp =
  /** Never call this number again. */
  | { kind: 'suppress' }
  /** Call the caller back. */
  | CallBack;

/** Another call that was agreed on. */
export interface CallBack {
  kind: 'call_back';
  /** Epoch milliseconds; null if no time was agreed on. */
  at: number | null;
  /** The IANA zone in which the time was meant. */
  timeZone: string;
  /** The time in the agent's words; empty if no time was agreed on. */
  said: string;
}

/** The result of a call by its dialogue manager, for the call's analysis, summary and follow-up. */
export interface Outcome {
  /** Name of what the caller wanted or did, such as `confirm_appointment`; null if unknown. */
  intent: string | null;
  /** True if the purpose of the call was reached; null if the agent defines none. */
  resolutionAchieved: boolean | null;
  /** Answers by the name of the question, such as `{ "slot": "morning" }`. */
  answers: Readonly<Record<string, string>>;
  /** The same answers as the agent says them: `Tuesday, December 1st`. */
  said?: Readonly<Record<string, string>> | null;
  /** Names of the answers that are free speech, such as a message, instead of a day or a choice. */
  inOwnWords?: readonly string[];
  /** One sentence on what happened, in the words of the agent's author; the summary of the call begins with it. */
  summary?: string | null;
  /** The last agreement; null if nothing is left to do. */
  followUp?: FollowUp | null;
}
