import type { CallWindow } from '#policy/hours/call-window.js';

/**
 * The modes of calling hours and attempt caps: ignored, only recorded, or enforced. The suppression list, refused kinds
 * of numbers, allowed countries and a client's `call_window` are enforced in every mode.
 */
export const COMPLIANCE_MODES = ['off', 'warn', 'enforce'] as const;
export type ComplianceMode = (typeof COMPLIANCE_MODES)[number];

/** The longest period of an attempt cap; older attempts are not read. */
export const MAX_CAP_HOURS = 7 * 24;
/** The largest value of the settings `ATTEMPTS_PER_DAY` and `ATTEMPTS_PER_WEEK`. */
export const MAX_CAP_ATTEMPTS = 100;

/** The most attempts at one number within a period. */
export interface AttemptCap {
  attempts: number;
  hours: number;
}

/** The rules for a call, from the settings and the request: plain data, which can be cloned to the store's thread. */
export interface PolicyRules {
  mode: ComplianceMode;
  /** The calling hours of the service, subject to the mode; null for always. */
  window: CallWindow | null;
  /** The client's `call_window`, enforced in every mode; null without one. */
  ownWindow: CallWindow | null;
  caps: readonly AttemptCap[];
  /** The countries (ISO 3166, two letters) that may be called; null for all. */
  countries: readonly string[] | null;
  /** The IANA zone for numbers whose own zones are unknown. */
  fallbackZone: string;
}

/** The rules for a call with its own window, which narrows the calling hours and never widens them. */
export function withOwnWindow(rules: PolicyRules, window: CallWindow | null): PolicyRules {
  return { ...rules, ownWindow: window };
}

/**
 * The rules for a number that a caller is transferred to: the calling hours of the service and attempt caps do not
 * apply (mode `off`). The suppression list, refused kinds of numbers, allowed countries and `ownWindow` still do.
 */
export function rulesForTransfer(rules: PolicyRules): PolicyRules {
  return { ...rules, mode: 'off' };
}

/** The enforced windows: a number is dialled only while all of them are open. */
export function enforcedWindows({ mode, window, ownWindow }: PolicyRules): CallWindow[] {
  return [ownWindow, mode === 'enforce' ? window : null].filter((obeyed) => obeyed !== null);
}
