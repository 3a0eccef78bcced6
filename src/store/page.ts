import { fieldProblem } from '#kernel/errors/errors.js';

/** Where a list goes on: after the row with this creation time and id, newest first. */
export interface Cursor {
  createdAt: number;
  id: string;
  /** Which list it was given out for, and with which filters; left out by earlier releases. */
  list?: string;
}

/** One page of a list, newest first. */
export interface Page<Item> {
  items: Item[];
  next: Cursor | null;
}

/** Makes a page of rows selected with `limit + 1`: the extra row only says that there is more. */
export function toPage<Item>(rows: Item[], limit: number, cursorOf: (item: Item) => Cursor): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(last) : null };
}

/** As far as positions go: a column of whole numbers holds no more. */
const LARGEST_POSITION = 2 ** 31 - 1;

/**
 * The position after which a list goes on that has one of its own, held in a cursor's place for the instant; -1 at its
 * beginning.
 * @throws Problem `invalid_cursor` for a cursor of another list, whose instant no database takes for a position
 */
export function positionOf(cursor: Cursor | null): number {
  if (cursor === null) return -1;
  if (cursor.createdAt <= LARGEST_POSITION) return cursor.createdAt;
  throw fieldProblem('invalid_cursor', 'query.cursor', 'is not a cursor of this list');
}

/** The opaque text of a cursor, as clients carry it. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(
    [cursor.createdAt, cursor.id, cursor.list].filter((part) => part !== undefined).join(':'),
  ).toString('base64url');
}

/** Reads a cursor back; anything that we did not write is `invalid_cursor`. */
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
