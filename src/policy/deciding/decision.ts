import { z } from 'zod';

/** Everything that speaks against a call (our choice). */
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

/** Why a call is not dialled, in the words of a call's `ended_reason`. */
export const REFUSAL_REASONS = [
  'suppressed',
  'premium_number',
  'country_not_allowed',
  'attempt_cap',
  'outside_calling_window',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Dial it, dial it later, do not dial it. */
export const VERDICTS = ['dial', 'defer', 'skip'] as const;

/** One thing that speaks against a call. Instants are epoch milliseconds. */
export const Finding = z.object({
  objection: z.enum(OBJECTIONS),
  /** False where it is only written down: the call goes on as far as this is concerned. */
  enforced: z.boolean(),
  /** When it ends; null when it does not end by itself, or not soon. */
  until: z.int().nullable(),
  /** What exactly: the reason of the suppression, the country, `3 in 24 h`. */
  detail: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** What the policy says to a call. */
export type Decision =
  | { verdict: 'dial'; findings: readonly Finding[] }
  /** Not before `until`. */
  | { verdict: 'defer'; until: number; reason: RefusalReason; findings: readonly Finding[] }
  /** Never. */
  | { verdict: 'skip'; reason: RefusalReason; findings: readonly Finding[] };

/**
 * What a decision rests on, that of its reason first. What is only noted does not keep a call from being made, so it
 * explains no refusal and no delay.
 */
export function groundsOf({ verdict, reason, findings }: DecidedFindings): readonly Finding[] {
  if (verdict === 'dial') return findings;
  const enforced = findings.filter((finding) => finding.enforced);
  return enforced.toSorted((a, b) => Number(b.objection === reason) - Number(a.objection === reason));
}

/** The part of a decision, new or stored, that says why. */
interface DecidedFindings {
  verdict: Decision['verdict'];
  reason?: RefusalReason | null;
  findings: readonly Finding[];
}

/** Everything a decision depends on: plain data, and no clock. */
export interface Question {
  /** E.164. */
  phoneNumber: string;
  /** Epoch milliseconds. */
  now: number;
  /** The live entry of the suppression list, if there is one. */
  suppression: { reason: string; until: number | null } | null;
  /** When this number was dialled before, in any order; what is older than the longest cap does no harm. */
  attempts: readonly number[];
}
