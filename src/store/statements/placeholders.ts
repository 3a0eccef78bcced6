/** One placeholder for each value: `?, ?, ?`. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/**
 * Returns a function that makes the text of a statement for a number of rows, and builds it once for each number.
 * Building it for each use would cost as much as a short statement: the text is long, and a new string must be hashed
 * to find its prepared statement.
 * @param textOf makes the whole text from the placeholders of the rows, such as `(?, ?), (?, ?)`
 */
export function textsByRows(
  textOf: (rows: string) => string,
  columnCount: number,
): (rowCount: number) => string {
  const row = `(${placeholders(Array.from({ length: columnCount }))})`;
  const texts = new Map<number, string>();
  return (rowCount) => {
    const known = texts.get(rowCount);
    if (known !== undefined) return known;
    const text = textOf(Array.from({ length: rowCount }, () => row).join(', '));
    texts.set(rowCount, text);
    return text;
  };
}
