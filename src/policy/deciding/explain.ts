import { toInstant } from '#kernel/time/clock.js';
import {
  decisiveFindings,
  type Decision,
  type Finding,
  type Objection,
  type RefusalReason,
} from './decision.js';
import type { ComplianceMode } from './policy-rules.js';

/** A decision to explain as text. */
export interface ExplainedDecision {
  /** When the policy decided: as the call was accepted, before dialling, or `now` for a preview that is not stored. */
  moment: 'accepted' | 'dialling' | 'now';
  verdict: Decision['verdict'];
  reason: RefusalReason | null;
  /** For `defer`: when the number may be called (epoch milliseconds). */
  until: number | null;
  findings: readonly Finding[];
  mode: ComplianceMode;
}

/** The beginning of the sentence, by moment and verdict. After the beginning of `defer` follows "before <instant>". */
const BEGINNINGS: Record<ExplainedDecision['moment'], Record<Decision['verdict'], string>> = {
  accepted: { dial: 'Accepted', defer: 'Accepted, but not to be called', skip: 'Not to be called' },
  dialling: { dial: 'Dialled', defer: 'Not called, and not to be called', skip: 'Not called' },
  now: { dial: 'May be called', defer: 'Must not be called', skip: 'Must not be called' },
};

/** A clause for each objection, with its detail. */
const CLAUSES: Record<Objection, (finding: Finding) => string> = {
  suppressed: ({ detail, until }) =>
    `the number is on the suppression list (${detail}${until === null ? '' : `, until ${toInstant(until)}`})`,
  premium_number: () => 'premium-rate numbers are never called',
  satellite_number: () => 'satellite numbers are never called',
  short_code: () => 'it is a short code, and those are never called',
  country_not_allowed: ({ detail }) =>
    detail === null
      ? 'only some countries may be called, and the country of this number is unknown'
      : `calls to ${detail} are not allowed`,
  attempt_cap: ({ detail }) => `the number had been dialled as often as is allowed (${detail})`,
  outside_calling_window: ({ detail, until }) =>
    until === null
      ? `there are no calling hours common to ${detail}`
      : `it was not calling time in ${detail}`,
};

/**
 * A decision as an English sentence: why the number was, or was not, called. The API shows it as `explanation`. A
 * number that is dialled may have findings, too, because the mode `warn` only notes them.
 */
export function explain(decision: ExplainedDecision): string {
  const { moment, verdict, until, mode } = decision;
  const beginning = BEGINNINGS[moment][verdict];
  const clauses = decisiveFindings(decision)
    .map((finding) => CLAUSES[finding.objection](finding))
    .join(', and ');
  if (verdict === 'skip') return `${beginning}: ${clauses}.`;
  if (verdict === 'defer') return `${beginning} before ${toInstant(until ?? 0)}: ${clauses}.`;
  if (clauses === '') return `${beginning}: nothing speaks against it.`;
  return `${beginning}, although ${clauses}; that is only noted while COMPLIANCE_MODE is ${mode}.`;
}
