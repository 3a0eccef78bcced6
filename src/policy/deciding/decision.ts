import { z } from 'zod';

// The types of the policy's decisions (may this number be called now?): verdict, reason and findings. `decide` makes
// them, `askPolicy` stores them.

/** The possible objections to a call. */
export const OBJECTIONS = [
  'suppressed',
  'premium_number',
  'satellite_number',
  'short_code',
  'country_not_allowed',
  'attempt_cap',
  'outside_calling_window',
] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** The reasons of a refusal or deferral. Each is also a value of a call's `ended_reason`. */
export const REFUSAL_REASONS = [
  'suppressed',
  'premium_number',
  'country_not_allowed',
  'attempt_cap',
  'outside_calling_window',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** `dial`: now; `defer`: later; `skip`: do not dial. */
export const VERDICTS = ['dial', 'defer', 'skip'] as const;

/** One objection to a call. Instants are epoch milliseconds. */
export const Finding = z.object({
  objection: z.enum(OBJECTIONS),
  /** False for an objection that is only recorded, and does not stop the call. */
  enforced: z.boolean(),
  /** When the objection ends; null if it does not end by itself, or not soon. */
  until: z.int().nullable(),
  /** The reason of the suppression, the country, the zones, or the cap, such as `3 in 24 h`. */
  detail: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** The policy's decision about a call. */
export type Decision =
  | { verdict: 'dial'; findings: readonly Finding[] }
  /** Dial at `until` at the earliest (epoch milliseconds). */
  | { verdict: 'defer'; until: number; reason: RefusalReason; findings: readonly Finding[] }
  /** Do not dial. */
  | { verdict: 'skip'; reason: RefusalReason; findings: readonly Finding[] };

/**
 * The findings that a decision rests on, that of its reason first; all findings of a call that is dialled. A finding
 * that is only recorded stops no call, so it explains no refusal and no deferral.
 */
export function decisiveFindings({ verdict, reason, findings }: DecidedFindings): readonly Finding[] {
  if (verdict === 'dial') return findings;
  const enforced = findings.filter((finding) => finding.enforced);
  return enforced.toSorted((a, b) => Number(b.objection === reason) - Number(a.objection === reason));
}

/** The parts of a decision, new or stored, that explain it. */
interface DecidedFindings {
  verdict: Decision['verdict'];
  reason?: RefusalReason | null;
  findings: readonly Finding[];
}

/** The facts about a number that a decision depends on, as plain data. */
export interface Question {
  /** E.164. */
  phoneNumber: string;
  /** When the number would be dialled (epoch milliseconds). */
  now: number;
  /** The valid entry of the suppression list, or null. */
  suppression: { reason: string; until: number | null } | null;
  /** When the number was dialled (epoch milliseconds), in any order; older attempts than the caps count are ignored. */
  attempts: readonly number[];
}
