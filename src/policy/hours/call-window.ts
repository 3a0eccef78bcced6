import { z } from 'zod';
import { isTimeZone } from '#kernel/time/time-zone.js';

// Call windows: the hours and days at which numbers may be called, as `call_window` of calls, batches and schedules and
// as the calling hours of the settings. This file has their forms in requests, in the database and in responses.

/** The days of a week in the API, Monday first (ISO 8601). */
export const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Day = (typeof DAYS)[number];

/** When a number may be called, in minutes of a local day. Stored as JSON. */
export const CallWindow = z.object({
  startMinute: z.int(),
  /** Exclusive; 1440 is the end of the day. */
  endMinute: z.int(),
  /** Bits: 0 is Monday, 6 is Sunday. */
  days: z.int(),
  /** The IANA zone of these times; null for the callee's zone. */
  timezone: z.string().nullable(),
});
export type CallWindow = z.infer<typeof CallWindow>;

const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/;
const EVERY_DAY = (1 << DAYS.length) - 1;

/** Minutes since midnight of a time such as `09:00`; null for another text. `24:00` is the end of the day. */
export function minuteOf(time: string): number | null {
  const match = TIME.exec(time);
  if (!match) return null;
  return match[1] === undefined ? 24 * 60 : Number(match[1]) * 60 + Number(match[2]);
}

/** Days as the bits of {@link CallWindow}. */
export function daysMask(days: readonly Day[]): number {
  return days.reduce((mask, day) => mask | (1 << DAYS.indexOf(day)), 0);
}

const timeField = z
  .string()
  .transform((time, context) => minuteOf(time) ?? refuse(context, 'must be a time of day such as 09:00'));

const dayField = z.string().transform((word, context) => {
  const day = DAYS.find((known) => known === word.trim().toUpperCase());
  return day ?? refuse(context, `must be one of ${DAYS.join(', ')}`);
});

const zoneField = z
  .string()
  .max(64)
  .refine(isTimeZone, { message: 'is not a known time zone', params: { code: 'invalid_timezone' } });

/**
 * `call_window` in a request: `{"start": "09:00", "end": "20:00", "timezone": "America/New_York", "days": ["MON"]}`,
 * parsed to a {@link CallWindow}.
 */
export const callWindowField = z
  .object({
    start: timeField.meta({
      description: 'Local time from which people may be called.',
      examples: ['09:00'],
    }),
    end: timeField.meta({
      description: 'Local time from which they may not; later than `start`, `24:00` at the latest.',
      examples: ['20:00'],
    }),
    timezone: zoneField.nullish().meta({
      description:
        'IANA zone of these times. If omitted, they are local times of the callee, whatever zone the request names ' +
        'besides: it must be allowed in every zone that the callee may be in.',
      examples: ['America/New_York'],
    }),
    days: z
      .array(dayField)
      .min(1)
      .max(DAYS.length)
      .nullish()
      .meta({ description: 'On which days; every day if omitted.', examples: [['MON', 'TUE']] }),
  })
  .transform((window, context): CallWindow => {
    if (window.end <= window.start) {
      context.addIssue({ code: 'custom', path: ['end'], message: 'must be later than start' });
      return z.NEVER;
    }
    return {
      startMinute: window.start,
      endMinute: window.end,
      days: window.days ? daysMask(window.days) : EVERY_DAY,
      timezone: window.timezone ?? null,
    };
  })
  .meta({
    description:
      'When people may be called. It applies in every COMPLIANCE_MODE; with `enforce`, the calling hours of the ' +
      'service apply besides, and a call is made only where both allow it.',
    examples: [{ start: '09:00', end: '20:00', days: ['MON', 'TUE', 'WED', 'THU', 'FRI'] }],
  });

/** A window in a response. */
export const callWindowOut = z
  .object({
    start: z.string().meta({ description: 'Local time from which people may be called.' }),
    end: z.string().meta({ description: 'Local time from which they may not.' }),
    timezone: z
      .string()
      .nullable()
      .meta({ description: 'IANA zone of these times; null: where the callee is.' }),
    days: z.array(z.enum(DAYS)).meta({ description: 'On which days.' }),
  })
  .meta({ id: 'CallWindow', description: 'When people may be called.' });

/** A window as responses show it. */
export function toCallWindowOut(window: CallWindow): z.infer<typeof callWindowOut> {
  return {
    start: timeOf(window.startMinute),
    end: timeOf(window.endMinute),
    timezone: window.timezone,
    days: DAYS.filter((_, bit) => window.days & (1 << bit)),
  };
}

/** Minutes since midnight as a time: 540 is `09:00`. */
function timeOf(minute: number): string {
  const parts = [Math.floor(minute / 60), minute % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
