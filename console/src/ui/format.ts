// How values are written. Times are in the zone of the reader, unless another one is named.

const LOCALE = 'en-GB';

const dayAndTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const dayOnly = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const whole = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });
const clockTime = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `27 Nov, 22:14`; with the year when it is another one. */
export function moment(iso: string | null | undefined): string {
  if (!iso) return '–';
  if (/^\d{4}-\d\d-\d\d$/.test(iso)) return dayOnly.format(new Date(`${iso}T12:00`));
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const year = date.getFullYear();
  return year === new Date().getFullYear() ? dayAndTime.format(date) : `${dayAndTime.format(date)} ${year}`;
}

/** All of a moment, for a title. */
export function wholeMoment(iso: string | null | undefined): string {
  return iso ? whole.format(new Date(iso)) : '';
}

export function timeOfDay(iso: string): string {
  return clockTime.format(new Date(iso));
}

/** The same moment in another zone: `Thu 27 Nov, 09:14 New York`. */
export function momentIn(iso: string, zone: string): string {
  try {
    const format = new Intl.DateTimeFormat(LOCALE, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
    });
    return `${format.format(new Date(iso))} ${zoneName(zone)}`;
  } catch {
    return iso;
  }
}

function zoneName(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** `3 min. ago`, `in 2 days`. */
export function fromNow(iso: string | null | undefined): string {
  if (!iso) return '–';
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  const size = Math.abs(seconds);
  if (size < MINUTE) return relative.format(Math.round(seconds), 'second');
  if (size < HOUR) return relative.format(Math.round(seconds / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.round(seconds / HOUR), 'hour');
  return relative.format(Math.round(seconds / DAY), 'day');
}

/** `2:05`, `1:02:05`. */
export function clock(totalSeconds: number): string {
  const seconds = Math.max(0, Math.floor(totalSeconds));
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  const tail = String(seconds % MINUTE).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return value >= 10_000
    ? `${(value / 1000).toFixed(1)} s`
    : `${Math.round(value).toLocaleString(LOCALE)} ms`;
}

export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`;
}

export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`;
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toLocaleString(LOCALE);
}

/** `customer_hangup` → `Customer hangup`. */
export function words(name: string | null | undefined): string {
  if (!name) return '–';
  const spaced = name.replaceAll(/[_.]/g, ' ');
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/^Api\b/, 'API');
}

/** `one call`, `3 calls`. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}
