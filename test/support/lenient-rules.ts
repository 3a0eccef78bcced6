import type { PolicyRules } from '#policy/deciding/policy-rules.js';

/** Everybody may be called at any time, except whom the suppression list names and what is no number. */
export const LENIENT_RULES: PolicyRules = {
  mode: 'off',
  window: null,
  ownWindow: null,
  caps: [],
  countries: null,
  fallbackZone: 'UTC',
};
