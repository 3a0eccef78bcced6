import type { CallWindow } from '#policy/hours/call-window.js';

/**
 * How strictly calling hours and attempt caps are taken: not looked at, written down only, or obeyed. The suppression
 * list, refused kinds of numbers, allowed countries and a window that a client asks for hold in every mode.
 */
export const COMPLIANCE_MODES = ['off', 'warn', 'enforce'] as const;
export type ComplianceMode = (typeof COMPLIANCE_MODES)[number];

/** No cap counts further back, or more attempts. */
export const LONGEST_CAP_HOURS = 7 * 24;
export const LARGEST_CAP = 100;

/** At most so many attempts to reach one number within so many hours. */
export interface AttemptCap {
  attempts: number;
  hours: number;
}

/** What holds for a call: plain data, so that it may travel to the store's thread. */
export interface PolicyRules {
  mode: ComplianceMode;
  /** The calling hours of the service, which the mode may enforce; null for always. */
  window: CallWindow | null;
  /** When the client wants them to be called, which is obeyed in every mode; null where it did not say. */
  ownWindow: CallWindow | null;
  caps: readonly AttemptCap[];
  /** The countries (ISO 3166, two letters) that may be called; null for all. */
  countries: readonly string[] | null;
  /** Where a number is taken to be that belongs to no country (IANA zone). */
  fallbackZone: string;
}

/** The rules of a call that may bring a window of its own: it narrows those of the service, never widens them. */
export function rulesWith(rules: PolicyRules, window: CallWindow | null): PolicyRules {
  return { ...rules, ownWindow: window };
}

/**
 * The rules for a number that a caller is to be connected with: those people may be called at any time and as often as
 * they are asked for; the suppression list, refused kinds of numbers and allowed countries hold for them too.
 */
export function atAnyTime(rules: PolicyRules): PolicyRules {
  return { ...rules, mode: 'off' };
}

/** The windows that have to be open, all of them at once, before anybody is dialled. */
export function obeyedWindows({ mode, window, ownWindow }: PolicyRules): CallWindow[] {
  return [ownWindow, mode === 'enforce' ? window : null].filter((obeyed) => obeyed !== null);
}
