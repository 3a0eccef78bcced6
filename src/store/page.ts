import { fieldProblem } from '#kernel/errors/errors.js';

// Pages of lists, and the cursors between them. Used by the stores of lists, and by the list routes.

/** The last row of a page: the next page begins after it. */
export interface Cursor {
  /**
   * The value by which the list is ordered: usually the instant of creation (epoch milliseconds), despite the name also
   * a position, a due time or another instant.
   */
  createdAt: number;
  id: string;
  /** Fingerprint of the list and its filters; absent in cursors of earlier releases. */
  list?: string;
}

/** One page of a list, in the order of the list (most lists show the newest first). `next` is null on the last page. */
export interface Page<Item> {
  items: Item[];
  next: Cursor | null;
}

/** Makes a page of rows that were selected with `limit + 1`: the extra row only shows that another page follows. */
export function toPage<Item>(rows: Item[], limit: number, cursorOf: (item: Item) => Cursor): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(last) : null };
}

/** The largest value of an `integer` column on PostgreSQL. */
const MAX_POSITION = 2 ** 31 - 1;

/**
 * The position in the cursor of a list that is ordered by position; `createdAt` holds it. Without a cursor -1, which is
 * before the first position.
 * @throws Problem `invalid_cursor` if `createdAt` is too large for a position: it is the instant of another list
 */
export function positionOf(cursor: Cursor | null): number {
  if (cursor === null) return -1;
  if (cursor.createdAt <= MAX_POSITION) return cursor.createdAt;
  throw fieldProblem('invalid_cursor', 'query.cursor', 'is not a cursor of this list');
}

/** A cursor as the opaque text that clients carry. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(
    [cursor.createdAt, cursor.id, cursor.list].filter((part) => part !== undefined).join(':'),
  ).toString('base64url');
}

/**
 * Parses the text of a cursor.
 * @throws Problem `invalid_cursor` for a text of another form than {@link encodeCursor}'s
 */
export function decodeCursor(text: string): Cursor {
  const match = /^(\d{1,15}):([a-z]+_[0-9a-z]{26})(?::(\w{1,64}))?$/.exec(
    Buffer.from(text, 'base64url').toString(),
  );
  if (!match) {
    throw fieldProblem('invalid_cursor', 'query.cursor', 'is not a cursor of this service');
  }
  const [, createdAt, id, list] = match;
  return { createdAt: Number(createdAt), id: id!, ...(list === undefined ? {} : { list }) };
}
