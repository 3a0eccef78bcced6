/**
 * `limit ?` for a value that changes from use to use, such as the free capacity of workers that claim rows. SQLite
 * plans a statement again for every new value bound to a bare `limit ?`, which costs as much as a dozen rows; it does
 * not for a sum.
 */
export const LIMIT = 'limit ? + 0';
