import { z } from 'zod';
import { toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { isOpenAt, nextOpenAt } from '#policy/hours/calling-hours.js';
import { callWindowOut, toCallWindowOut } from '#policy/hours/call-window.js';
import { decide, zonesFor } from '#policy/deciding/decide.js';
import { REFUSAL_REASONS, VERDICTS } from '#policy/deciding/decision.js';
import type { NumberHistory } from './number-history.js';
import { explain } from '#policy/deciding/explain.js';
import { factsOf, NUMBER_KINDS } from '#policy/numbers/number-facts.js';
import { COMPLIANCE_MODES, type PolicyRules } from '#policy/deciding/policy-rules.js';

const HOUR_MS = 3_600_000;

/** A callee's number as `GET /api/numbers/{number}` shows it: its properties, and whether it may be dialled now. */
export const numberResource = z
  .object({
    object: z.literal('number'),
    phone_number: z.string().meta({ description: 'The number, E.164.' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'ISO 3166 code; null if the numbering plan does not say.' }),
    kind: z.enum(NUMBER_KINDS).meta({ description: 'The line type according to the numbering plan.' }),
    time_zones: z.array(z.string()).meta({ description: 'Every IANA zone that the number may be in.' }),
    suppressed: z.boolean().meta({ description: 'Whether it is on the suppression list.' }),
    calling_window: callWindowOut.nullable().meta({ description: 'When it may be called; null: always.' }),
    window_open: z.boolean().meta({ description: 'Whether it is calling time now.' }),
    window_opens_at: instantOut
      .nullable()
      .meta({ description: 'When calling hours begin next; null if not within two weeks.' }),
    attempts: z
      .array(
        z.object({
          hours: z.int().meta({ description: 'The period, in hours up to now.' }),
          used: z.int().meta({ description: 'How often the number was dialled in it.' }),
          limit: z.int().meta({ description: 'How often it may be dialled in it.' }),
        }),
      )
      .meta({ description: 'Attempts, and their limits.' }),
    compliance_mode: z.enum(COMPLIANCE_MODES).meta({ description: 'The COMPLIANCE_MODE of the service.' }),
    verdict: z.enum(VERDICTS).meta({ description: 'Whether it would be dialled now.' }),
    reason: z.enum(REFUSAL_REASONS).nullable().meta({ description: 'Why not; null if it would be.' }),
    until: instantOut.nullable().meta({ description: 'From when it may be dialled, if later.' }),
    explanation: z.string().meta({ description: 'The decision as a sentence.' }),
  })
  .meta({
    id: 'Number',
    description: 'What is known of a number, and whether it may be dialled now.',
    examples: [
      {
        object: 'number',
        phone_number: '+14155550123',
        country: 'US',
        kind: 'fixed_line_or_mobile',
        time_zones: ['America/Los_Angeles'],
        suppressed: false,
        calling_window: { start: '09:00', end: '20:00', timezone: null, days: ['MON', 'TUE', 'WED'] },
        window_open: true,
        window_opens_at: '2026-11-23T18:00:00.000Z',
        attempts: [{ hours: 24, used: 1, limit: 3 }],
        compliance_mode: 'warn',
        verdict: 'dial',
        reason: null,
        until: null,
        explanation: 'May be called: nothing speaks against it.',
      },
    ],
  });
export type NumberResource = z.infer<typeof numberResource>;

/** Builds the API's resource of a number: its facts, its history, and the decision that would be made now. */
export function toNumberResource(
  { phoneNumber, history, now }: { phoneNumber: string; history: NumberHistory; now: number },
  rules: PolicyRules,
): NumberResource {
  const facts = factsOf(phoneNumber);
  const attempts = history.attempts.map(({ at }) => at);
  const decision = decide({ phoneNumber, now, suppression: history.suppression, attempts }, rules);
  const until = decision.verdict === 'defer' ? decision.until : null;
  const { window } = rules;
  /** Where the calling hours must be open: their own zone, or the zones of the number. */
  const windowZones = window ? zonesFor(phoneNumber, window, rules) : [];
  return {
    object: 'number',
    phone_number: phoneNumber,
    country: facts.country,
    kind: facts.kind,
    time_zones: [...facts.zones],
    suppressed: history.suppression !== null,
    calling_window: window && toCallWindowOut(window),
    window_open: !window || isOpenAt(window, windowZones, now),
    window_opens_at: toInstantOrNull(window ? nextOpenAt(window, windowZones, now) : now),
    attempts: rules.caps.map(({ hours, attempts: limit }) => ({
      hours,
      used: attempts.filter((at) => at > now - hours * HOUR_MS).length,
      limit,
    })),
    compliance_mode: rules.mode,
    verdict: decision.verdict,
    reason: decision.verdict === 'dial' ? null : decision.reason,
    until: toInstantOrNull(until),
    explanation: explain({
      moment: 'now',
      verdict: decision.verdict,
      reason: decision.verdict === 'dial' ? null : decision.reason,
      until,
      findings: decision.findings,
      mode: rules.mode,
    }),
  };
}
