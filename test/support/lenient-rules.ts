import type { PolicyRules } from '#policy/deciding/policy-rules.js';

/** Calling rules that allow every call, except to suppressed and invalid numbers. */
export const LENIENT_RULES: PolicyRules = {
  mode: 'off',
  window: null,
  ownWindow: null,
  caps: [],
  countries: null,
  fallbackZone: 'UTC',
};
