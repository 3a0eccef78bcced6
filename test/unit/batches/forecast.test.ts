import { expect, it } from 'vitest';
import { forecast } from '#batches/preflight/preflight.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.parse('2026-11-25T00:00:00Z');
const LONDONER = '+442079460010';

it('names the window that a call waits for, and not a cap that is only noted', () => {
  const attempts = [1, 2, 3].map((hours) => ({ at: MIDNIGHT - hours * HOUR_MS, subjectId: `dial_${hours}` }));
  const { deferred } = forecast({
    now: MIDNIGHT,
    scheduledAt: MIDNIGHT,
    maxConcurrency: 1,
    callsPerSecond: Number.POSITIVE_INFINITY,
    callMs: 60_000,
    rules: { ...LENIENT_RULES, mode: 'warn', caps: [{ attempts: 3, hours: 24 }] },
    window: { startMinute: 540, endMinute: 1_020, days: 127, timezone: null },
    slices: [{ count: 1, text: JSON.stringify([{ phone_number: LONDONER, row: 0, duplicate: false }]) }],
    needed: [],
    histories: new Map([[LONDONER, { suppression: null, attempts }]]),
  });
  expect(deferred.first).toMatchObject([
    { reason: 'outside_calling_window', message: 'outside calling window (Europe/London)' },
  ]);
});
