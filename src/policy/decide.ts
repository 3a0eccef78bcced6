import type { CallWindow } from './call-window.js';
import { nextOpenAt } from './calling-hours.js';
import type { Decision, Finding, Objection, Question, RefusalReason } from './decision.js';
import { factsOf, type NumberKind } from './number-facts.js';
import type { AttemptCap, PolicyRules } from './policy-rules.js';

const HOUR_MS = 3_600_000;

/** Kinds of numbers that are never called. */
const REFUSED_KINDS: Partial<Record<NumberKind, Objection>> = {
  premium_rate: 'premium_number',
  satellite: 'satellite_number',
  short_code: 'short_code',
};

/**
 * May this number be dialled now? The same question always has the same answer.
 *
 * The suppression list, refused kinds and allowed countries hold in every mode. Attempt caps, and calling hours that
 * come from the settings, are obeyed in `enforce`, only written down in `warn`, and not looked at in `off`.
 */
export function decide(question: Question, rules: PolicyRules): Decision {
  const refusal = refusalOf(question, rules);
  if (refusal) return refusal;
  const isEnforcing = rules.mode === 'enforce';
  const cap = rules.mode === 'off' ? null : reachedCap(question, rules.caps);
  const isWindowObeyed = isEnforcing || rules.isWindowBinding;
  const window = isWindowObeyed || rules.mode === 'warn' ? rules.window : null;
  const zones = window ? zonesFor(question.phoneNumber, window, rules) : [];

  const { now } = question;
  const openAt = window ? nextOpenAt(window, zones, now) : now;
  const findings: Finding[] = [];
  if (cap) findings.push(finding('attempt_cap', isEnforcing, cap.until, cap.detail));
  if (openAt !== now) {
    findings.push(finding('outside_calling_window', isWindowObeyed, openAt, placesOf(zones)));
  }

  const freeAt = cap && isEnforcing ? cap.until : now;
  // A number that may be called again in the night is called in the morning.
  const until = window && isWindowObeyed ? nextOpenAt(window, zones, freeAt) : freeAt;
  if (until === now) return { verdict: 'dial', findings };
  if (until === null) return { verdict: 'skip', reason: 'outside_calling_window', findings };
  return {
    verdict: 'defer',
    until,
    reason: freeAt === now ? 'outside_calling_window' : 'attempt_cap',
    findings,
  };
}

/** The zones in which a window has to be open for a call to this number. */
export function zonesFor(phoneNumber: string, window: CallWindow, rules: PolicyRules): readonly string[] {
  if (window.timezone !== null) return [window.timezone];
  const { zones } = factsOf(phoneNumber);
  return zones.length > 0 ? zones : [rules.fallbackZone];
}

/** `Europe/Berlin`, or `America/Adak and 10 more`. */
function placesOf(zones: readonly string[]): string {
  return zones.length === 1 ? zones[0]! : `${zones[0]} and ${zones.length - 1} more`;
}

/** What no waiting helps against. */
function refusalOf({ phoneNumber, now, suppression }: Question, rules: PolicyRules): Decision | null {
  // Who asks about a later call may be told of an entry that ends before.
  if (suppression && (suppression.until === null || suppression.until > now))
    return skip('suppressed', 'suppressed', suppression.until, suppression.reason);
  const { kind, country } = factsOf(phoneNumber);
  const objection = REFUSED_KINDS[kind];
  if (objection) return skip('premium_number', objection, null, null);
  if (rules.countries === null || (country !== null && rules.countries.includes(country))) return null;
  return skip('country_not_allowed', 'country_not_allowed', null, country);
}

function skip(
  reason: RefusalReason,
  objection: Objection,
  until: number | null,
  detail: string | null,
): Decision {
  return { verdict: 'skip', reason, findings: [finding(objection, true, until, detail)] };
}

function finding(
  objection: Objection,
  enforced: boolean,
  until: number | null,
  detail: string | null,
): Finding {
  return { objection, enforced, until, detail };
}

/** The cap that is reached and stays so longest, and when it is not reached any more. */
function reachedCap(
  { attempts, now }: Question,
  caps: readonly AttemptCap[],
): { until: number; detail: string } | null {
  if (attempts.length === 0) return null;
  const newestFirst = attempts.toSorted((a, b) => b - a);
  let reached: { until: number; detail: string } | null = null;
  for (const cap of caps) {
    // When this attempt is too old to count, one fewer than the cap are left.
    const until = (newestFirst[cap.attempts - 1] ?? Number.NEGATIVE_INFINITY) + cap.hours * HOUR_MS;
    if (until > now && until > (reached?.until ?? 0)) {
      reached = { until, detail: `${cap.attempts} in ${cap.hours} h` };
    }
  }
  return reached;
}
