const now = new Date();
const thisYear = now.getUTCFullYear();

/**
 * The year of the next 5th of January: always in the future, and within the 366 days for which calls can be planned.
 */
export const COMING_JANUARY = now.getTime() < Date.UTC(thisYear, 0, 5) ? thisYear : thisYear + 1;
