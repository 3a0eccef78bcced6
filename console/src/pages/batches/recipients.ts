// A table of people as the preflight takes them. Only the service decides which rows are right: this reads the cells.
import type { Schemas } from '../../api/openapi.js';

type Recipient = Schemas['BatchRequest']['to_number'][number];

const NUMBER_COLUMNS = ['phone_number', 'phone', 'to', 'number'];

/** Cells of CSV: quotes may hold separators, line breaks and doubled quotes. */
export function readCells(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at]!;
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  endRow();
  return rows;
}

/** Whichever of them the first line has most of. */
function separatorOf(text: string): string {
  const header = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const counted = [',', ';', '\t'].map((one) => [one, header.split(one).length] as const);
  return counted.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** The people of a table; null without a column of numbers. */
export function recipientsOf(text: string): Recipient[] | null {
  const [header = [], ...rows] = readCells(text.replace(/^\uFEFF/, ''));
  const names = header.map((name) => name.trim());
  const numberAt = names.findIndex((name) => NUMBER_COLUMNS.includes(name.toLowerCase()));
  if (numberAt === -1) return null;
  return rows.map((row) => {
    const cells = names.map((name, index) => [name, row[index]?.trim() ?? ''] as const);
    const others = cells.filter(
      ([name, value], index) => index !== numberAt && name !== 'name' && value !== '',
    );
    const name = cells.find(([one]) => one.toLowerCase() === 'name')?.[1];
    return {
      phone_number: row[numberAt]?.trim() ?? '',
      ...(name ? { name } : {}),
      ...(others.length > 0 ? { customer_data: Object.fromEntries(others) } : {}),
    };
  });
}
