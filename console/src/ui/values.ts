/** Reads one value a line, `name: value`; a line without a colon is left out. */
export function parseValues(text: string): Record<string, string> {
  const pairs = text
    .split('\n')
    .map(
      (line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()] as const,
    )
    .filter(([name, value]) => name !== '' && value !== '');
  return Object.fromEntries(pairs);
}

/** The opposite of {@link parseValues}. */
export function writeValues(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
