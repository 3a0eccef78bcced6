import { describe, expect, it } from 'vitest';
import type { CallWindow } from '#policy/hours/call-window.js';
import { decide } from '#policy/deciding/decide.js';
import type { Question } from '#policy/deciding/decision.js';
import { explain } from '#policy/deciding/explain.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';

const HOUR_MS = 3_600_000;
const NINE_TO_FIVE: CallWindow = { startMinute: 540, endMinute: 1020, days: 0b0011111, timezone: null };
/** A Wednesday, 12:00 in Berlin. */
const NOON = Date.parse('2026-11-25T11:00:00Z');

function rules(changes: Partial<PolicyRules> = {}): PolicyRules {
  const usual = { window: NINE_TO_FIVE, ownWindow: null, caps: [], countries: null };
  return { mode: 'enforce', fallbackZone: 'UTC', ...usual, ...changes };
}

function question(changes: Partial<Question> = {}): Question {
  return { phoneNumber: '+4930123456', now: NOON, suppression: null, attempts: [], ...changes };
}

describe('a call window beside the calling hours', () => {
  const EVENING: CallWindow = { ...NINE_TO_FIVE, startMinute: 960, endMinute: 1320, days: 127 };
  const both = (changes: Partial<PolicyRules> = {}) => rules({ ownWindow: EVENING, ...changes });

  it('is enforced together with them in enforce', () => {
    const at = (hours: number) => decide(question({ now: NOON + hours * HOUR_MS }), both());

    // It is four in the afternoon in Berlin, then six, and then Saturday, on which the service calls nobody.
    expect(at(4)).toEqual({ verdict: 'dial', findings: [] });
    expect(at(6)).toMatchObject({
      verdict: 'defer',
      until: NOON + 28 * HOUR_MS,
      reason: 'outside_calling_window',
      findings: [{ detail: 'Europe/Berlin', enforced: true }],
    });
    expect(at(3 * 24 + 4)).toMatchObject({ verdict: 'defer', until: NOON + (5 * 24 + 4) * HOUR_MS });
  });

  it('is enforced alone in warn and off', () => {
    const now = NOON + 6 * HOUR_MS;

    expect(decide(question({ now }), both({ mode: 'off' }))).toEqual({ verdict: 'dial', findings: [] });
    expect(decide(question({ now }), both({ mode: 'warn' }))).toEqual({
      verdict: 'dial',
      findings: [
        {
          objection: 'outside_calling_window',
          enforced: false,
          until: Date.parse('2026-11-26T08:00:00Z'),
          detail: 'Europe/Berlin',
        },
      ],
    });
  });

  it('uses its own zone, and the calling hours every zone of the number', () => {
    const inTokyo = { ...NINE_TO_FIVE, timezone: 'Asia/Tokyo' };
    const now = Date.parse('2026-11-25T00:30:00Z');
    const decision = decide(
      question({ now }),
      both({ ownWindow: inTokyo, window: { ...EVENING, startMinute: 0 } }),
    );

    expect(decision).toEqual({ verdict: 'dial', findings: [] });
    expect(decide(question({ now }), both({ ownWindow: inTokyo }))).toMatchObject({ verdict: 'skip' });
  });

  it('without a common opening is a reason not to call, with both in the explanation', () => {
    const decision = decide(question(), both({ ownWindow: { ...EVENING, startMinute: 1_020 } }));

    expect(decision).toMatchObject({
      verdict: 'skip',
      reason: 'outside_calling_window',
      findings: [{ enforced: true, until: null }],
    });
    const told = { moment: 'dialling', mode: 'enforce', until: null, reason: null, ...decision } as const;
    expect(explain(told)).toBe(
      'Not called: there are no calling hours common to the call_window and the calling hours in Europe/Berlin.',
    );
  });

  it('explains a delay by itself, and not by a cap that is only noted', () => {
    const attempts = [1, 2, 3].map((hours) => NOON - hours * HOUR_MS);
    const noted = { mode: 'warn', window: null, caps: [{ attempts: 3, hours: 24 }] } as const;
    const decision = decide(question({ attempts }), both(noted));

    expect(decision).toMatchObject({
      verdict: 'defer',
      reason: 'outside_calling_window',
      findings: [{ objection: 'attempt_cap', enforced: false }, { objection: 'outside_calling_window' }],
    });
    const until = NOON + 4 * HOUR_MS;
    expect(explain({ moment: 'now', mode: 'warn', reason: null, ...decision, until })).toBe(
      'Must not be called before 2026-11-25T15:00:00.000Z: it was not calling time in Europe/Berlin.',
    );
  });
});
