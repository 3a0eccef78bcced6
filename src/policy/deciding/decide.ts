import type { CallWindow } from '#policy/hours/call-window.js';
import { nextCommonOpening, type Opening } from '#policy/hours/calling-hours.js';
import type { Decision, Finding, Objection, Question, RefusalReason } from './decision.js';
import { factsOf, type NumberKind } from '#policy/numbers/number-facts.js';
import { enforcedWindows, type AttemptCap, type PolicyRules } from './policy-rules.js';

const HOUR_MS = 3_600_000;

/** The kinds of numbers that are never called, with the objection to each. */
const REFUSED_KINDS: Partial<Record<NumberKind, Objection>> = {
  premium_rate: 'premium_number',
  satellite: 'satellite_number',
  short_code: 'short_code',
};

/**
 * Decides whether a number may be dialled now, for `askPolicy`, the preview of a batch, the API's view of a number, and
 * cold transfers. A pure function: it reads no clock and no database.
 *
 * The suppression list, refused kinds of numbers, allowed countries and the call's own window are enforced in every
 * mode. Attempt caps and the calling hours of the service are enforced in `enforce`, only recorded in `warn`, and
 * ignored in `off`.
 */
export function decide(question: Question, rules: PolicyRules): Decision {
  const refusal = refusalOf(question, rules);
  if (refusal) return refusal;
  const { now, phoneNumber } = question;
  const isEnforcing = rules.mode === 'enforce';
  const cap = rules.mode === 'off' ? null : reachedCap(question, rules.caps);
  const openings = openingsOf(phoneNumber, enforcedWindows(rules), rules);
  const openAt = nextCommonOpening(openings, now);
  const findings: Finding[] = [];
  if (cap) findings.push(finding('attempt_cap', isEnforcing, cap.until, cap.detail));
  if (openAt !== now) {
    const detail = closedDetail(openings, now, openAt);
    findings.push(finding('outside_calling_window', true, openAt, detail));
  }
  // In `warn` the calling hours of the service do not defer the call: a finding records that they are closed.
  if (rules.mode === 'warn' && rules.window) {
    const recordedOpenings = openingsOf(phoneNumber, [rules.window], rules);
    const recordedOpenAt = nextCommonOpening(recordedOpenings, now);
    const detail = closedDetail(recordedOpenings, now, recordedOpenAt);
    if (recordedOpenAt !== now)
      findings.push(finding('outside_calling_window', false, recordedOpenAt, detail));
  }

  /** From when on no enforced attempt cap prevents the call. */
  const freeAt = cap && isEnforcing ? cap.until : now;
  // An attempt cap may end outside the calling hours: then the next opening counts.
  const until = nextCommonOpening(openings, freeAt);
  if (until === now) return { verdict: 'dial', findings };
  if (until === null) return { verdict: 'skip', reason: 'outside_calling_window', findings };
  return {
    verdict: 'defer',
    until,
    reason: freeAt === now ? 'outside_calling_window' : 'attempt_cap',
    findings,
  };
}

/** All pairs of a window and a zone that must be open for a call to this number. */
export function openingsOf(
  phoneNumber: string,
  windows: readonly CallWindow[],
  rules: PolicyRules,
): Opening[] {
  return windows.flatMap((window) => zonesFor(phoneNumber, window, rules).map((zone) => ({ window, zone })));
}

/** The zones in which a window must be open: its own zone, else all zones of the number, else the fallback. */
export function zonesFor(phoneNumber: string, window: CallWindow, rules: PolicyRules): readonly string[] {
  if (window.timezone !== null) return [window.timezone];
  const { zones } = factsOf(phoneNumber);
  return zones.length > 0 ? zones : [rules.fallbackZone];
}

/** The zones whose window is closed, as text for a finding. Both windows are named if they are never open together. */
function closedDetail(openings: readonly Opening[], now: number, openAt: number | null): string {
  const zonesOf = (listed: readonly Opening[]) => zonesText([...new Set(listed.map(({ zone }) => zone))]);
  const closed = openings.filter((opening) => nextCommonOpening([opening], now) !== now);
  const hasTwoWindows = new Set(openings.map(({ window }) => window)).size > 1;
  if (openAt === null && hasTwoWindows)
    return `the call_window and the calling hours in ${zonesOf(openings)}`;
  return zonesOf(closed);
}

/** Zones as text: `Europe/Berlin`, or `America/Adak and 10 more`. */
function zonesText(zones: readonly string[]): string {
  return zones.length === 1 ? zones[0]! : `${zones[0]} and ${zones.length - 1} more`;
}

/** The refusal of a number that is suppressed, of a refused kind, or of a country that is not allowed; else null. */
function refusalOf({ phoneNumber, now, suppression }: Question, rules: PolicyRules): Decision | null {
  // `now` is the time of the planned call, which may be after the end of the entry.
  if (suppression && (suppression.until === null || suppression.until > now))
    return skip('suppressed', 'suppressed', suppression.until, suppression.reason);
  const { kind, country } = factsOf(phoneNumber);
  const objection = REFUSED_KINDS[kind];
  // One public reason for all refused kinds; the finding names the kind.
  if (objection) return skip('premium_number', objection, null, null);
  if (rules.countries === null || (country !== null && rules.countries.includes(country))) return null;
  return skip('country_not_allowed', 'country_not_allowed', null, country);
}

/** The decision not to call, with its only finding. */
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

/**
 * The reached cap that lasts longest, and when it ends (epoch milliseconds); null if no cap is reached. A cap of three
 * attempts in 24 hours is reached while the third newest attempt is less than 24 hours old.
 */
function reachedCap(
  { attempts, now }: Question,
  caps: readonly AttemptCap[],
): { until: number; detail: string } | null {
  if (attempts.length === 0) return null;
  const newestFirst = attempts.toSorted((a, b) => b - a);
  let reached: { until: number; detail: string } | null = null;
  for (const cap of caps) {
    // Without that many attempts, the cap is not reached.
    const until = (newestFirst[cap.attempts - 1] ?? Number.NEGATIVE_INFINITY) + cap.hours * HOUR_MS;
    if (until > now && until > (reached?.until ?? 0)) {
      reached = { until, detail: `${cap.attempts} in ${cap.hours} h` };
    }
  }
  return reached;
}
