/**
 * `limit ?` for a value that changes from call to call, such as the free capacity of a claim. SQLite plans a statement
 * again for every new value bound to a bare `limit ?`, which costs as much as a dozen rows; it does not for a sum.
 */
export const LIMIT = 'limit ? + 0';
