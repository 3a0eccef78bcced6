import { toInstant } from '../kernel/clock.js';
import type { Finding, Objection } from './decision.js';
import type { DecisionRow } from './decision-store.js';

/** What each objection says, with its detail. */
const CLAUSES: Record<Objection, (finding: Finding) => string> = {
  suppressed: ({ detail, until }) =>
    `the number is on the suppression list (${detail}${until === null ? '' : `, until ${toInstant(until)}`})`,
  premium_number: () => 'premium-rate numbers are never called',
  satellite_number: () => 'satellite numbers are never called',
  short_code: () => 'it is a short code, and those are never called',
  country_not_allowed: ({ detail }) =>
    detail === null
      ? 'only some countries may be called, and it is not known where this number is'
      : `calls to ${detail} are not allowed`,
  attempt_cap: ({ detail }) => `it has been dialled as often as is allowed (${detail})`,
  outside_calling_window: ({ detail, until }) =>
    until === null ? `there are no calling hours common to ${detail}` : `it is not calling time in ${detail}`,
};

type Told = Pick<DecisionRow, 'moment' | 'verdict' | 'until_at' | 'findings' | 'mode'>;

/** A decision as a sentence for people: why this number was, or was not, called. */
export function explain(decision: Told): string {
  const because = clauses(decision.findings ?? []);
  const wasAccepted = decision.moment === 'accepted';
  if (decision.verdict === 'skip') return `${wasAccepted ? 'Will not be called' : 'Not called'}: ${because}.`;
  if (decision.verdict === 'defer') {
    const until = toInstant(decision.until_at ?? 0);
    return `${wasAccepted ? 'Accepted, but not to be called' : 'Not called then, and not to be called'} before ${until}: ${because}.`;
  }
  const done = wasAccepted ? 'Accepted' : 'Dialled';
  return because === ''
    ? `${done}: nothing speaks against calling this number.`
    : `${done}, although ${because}; that is only noted while COMPLIANCE_MODE is ${decision.mode}.`;
}

function clauses(findings: readonly Finding[]): string {
  return findings.map((finding) => CLAUSES[finding.objection](finding)).join(', and ');
}
