/** Cron expressions with occurrences around clock changes. */
export const CLOCK_CHANGE_EXPRESSIONS: readonly string[] = [
  '*/5 * * * *',
  '0 * * * *',
  '30 * * * *',
  '0 */2 * * *',
  '*/20 1-3 * * *',
  '30 1-3 * * *',
  '0 0 * * *',
  '30 0 * * *',
  '30 1 * * *',
  '0 2 * * *',
  '30 2 * * *',
  '59 23 * * *',
  '45 23,0,1,2,3 * * *',
];
