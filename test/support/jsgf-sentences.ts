/**
 * All sentences that a JSGF rule can produce, without duplicates, up to `limit`. Supports words, `<rules>`, `( | )`
 * and `[ ]`, which is all that the service's grammars use.
 */
export function sentencesOf(rule: string, rules: Readonly<Record<string, string>>, limit = 20_000): string[] {
  const tokens = rule.match(/<[a-z_]+>|[()[\]|]|[a-z][a-z']*/g) ?? [];
  let at = 0;

  function alternatives(): string[] {
    const all = sequence();
    while (tokens[at] === '|') {
      at += 1;
      all.push(...sequence());
    }
    return [...new Set(all)].slice(0, limit);
  }

  function sequence(): string[] {
    let said = [''];
    while (at < tokens.length && !['|', ')', ']'].includes(tokens[at]!)) {
      const next = item();
      said = said
        .flatMap((start) => next.map((end) => (start && end ? `${start} ${end}` : start || end)))
        .slice(0, limit);
    }
    return said;
  }

  function item(): string[] {
    const token = tokens[at++]!;
    if (token === '(' || token === '[') {
      const inside = alternatives();
      at += 1;
      return token === '[' ? ['', ...inside] : inside;
    }
    return token.startsWith('<') ? sentencesOf(rules[token.slice(1, -1)]!, rules, limit) : [token];
  }

  return alternatives();
}
