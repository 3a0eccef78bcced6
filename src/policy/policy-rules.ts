import type { CallWindow } from './call-window.js';

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
  /** When people may be called; null for always. */
  window: CallWindow | null;
  /** A window that the client asked for is obeyed in every mode; the one from the settings as the mode says. */
  isWindowBinding: boolean;
  caps: readonly AttemptCap[];
  /** The countries (ISO 3166, two letters) that may be called; null for all. */
  countries: readonly string[] | null;
  /** Where a number is taken to be that belongs to no country (IANA zone). */
  fallbackZone: string;
}

/** The rules of a call that brings a window of its own; without one, those of the house. */
export function rulesWith(rules: PolicyRules, window: CallWindow | null): PolicyRules {
  return window === null ? rules : { ...rules, window, isWindowBinding: true };
}
