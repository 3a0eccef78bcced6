/** A quoted text, a quoted name, a comment, or a placeholder: only the last one is ours to change. */
const PLACEHOLDER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g;

/** Turns `?` placeholders into PostgreSQL's `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(PLACEHOLDER, (match) => {
    if (match !== '?') return match;
    count += 1;
    return `$${count}`;
  });
}
