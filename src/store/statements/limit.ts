/**
 * `limit` with a bound value that changes from one time to the next, as of claims that take as much as there is room
 * for. Bound to a bare `limit ?`, every new value has SQLite plan the whole statement anew, which costs as much as
 * taking a dozen rows; a sum is not looked into.
 */
export const LIMIT = 'limit ? + 0';
