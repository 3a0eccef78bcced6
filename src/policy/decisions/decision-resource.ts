import { z } from 'zod';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { MOMENTS, type DecisionRow } from './decision-rows.js';
import { OBJECTIONS, REFUSAL_REASONS, VERDICTS } from '#policy/deciding/decision.js';
import { explain } from '#policy/deciding/explain.js';
import { COMPLIANCE_MODES } from '#policy/deciding/policy-rules.js';

/** A stored decision as `GET /api/numbers/{number}/decisions` shows it. */
export const decisionResource = z
  .object({
    object: z.literal('number_decision'),
    phone_number: z.string().meta({ description: 'The number, E.164.' }),
    decided_at: instantOut,
    moment: z.enum(MOMENTS).meta({
      description:
        'When it was made: as a call was accepted or, while it waited, its number was suppressed (`accepted`), or ' +
        'right before dialling.',
    }),
    verdict: z.enum(VERDICTS).meta({ description: 'Dial it, dial it later, or do not dial it.' }),
    reason: z.enum(REFUSAL_REASONS).nullable().meta({ description: 'Why it was not dialled.' }),
    until: instantOut.nullable().meta({ description: 'From when it may be dialled, if it was deferred.' }),
    explanation: z.string().meta({ description: 'The decision as a sentence.' }),
    findings: z
      .array(
        z.object({
          objection: z.enum(OBJECTIONS).meta({ description: 'What speaks against the call.' }),
          enforced: z.boolean().meta({ description: 'Whether it prevents the call, or is only noted.' }),
          until: instantOut
            .nullable()
            .meta({ description: 'When it ends; null if not by itself, or not soon.' }),
          detail: z.string().nullable().meta({ description: 'Details.' }),
        }),
      )
      .meta({ description: 'Everything that spoke against the call.' }),
    compliance_mode: z.enum(COMPLIANCE_MODES).meta({ description: 'The COMPLIANCE_MODE at that time.' }),
    call_id: z.string().nullable().meta({ description: 'The call that it was about.' }),
    subject_id: z
      .string()
      .meta({ description: 'The id of what the decision was about: a call, a schedule or an attempt.' }),
  })
  .meta({
    id: 'NumberDecision',
    description: 'A decision whether a number may be called.',
    examples: [
      {
        object: 'number_decision',
        phone_number: '+14155550123',
        decided_at: '2026-11-21T00:00:00.000Z',
        moment: 'dialling',
        verdict: 'skip',
        reason: 'suppressed',
        until: null,
        explanation: 'Not called: the number is on the suppression list (opt_out).',
        findings: [{ objection: 'suppressed', enforced: true, until: null, detail: 'opt_out' }],
        compliance_mode: 'warn',
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        subject_id: 'dial_01kakb8x6te1tr7m3qf0c9w2ag',
      },
    ],
  });
export type DecisionResource = z.infer<typeof decisionResource>;

/** Builds the API's resource from a stored decision, with the explaining sentence. */
export function toDecisionResource(row: DecisionRow): DecisionResource {
  const findings = row.findings ?? [];
  return {
    object: 'number_decision',
    phone_number: row.phone_number,
    decided_at: toInstant(row.decided_at),
    moment: row.moment,
    verdict: row.verdict,
    reason: row.reason,
    until: toInstantOrNull(row.until_at),
    explanation: explain({ ...row, until: row.until_at, findings }),
    findings: findings.map((finding) => ({ ...finding, until: toInstantOrNull(finding.until) })),
    compliance_mode: row.mode,
    call_id: row.call_id,
    subject_id: row.subject_id,
  };
}
