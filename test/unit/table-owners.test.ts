import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FOREIGN_READS, FOREIGN_WRITES, TABLE_OWNERS } from '#test/support/table-owners.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const WRITES = [
  /\binsert into\s+([a-z_]+)/gi,
  /\bdelete from\s+([a-z_]+)/gi,
  /\bupdate\s+([a-z_]+)(?=\s+set\b)/gi,
  /\b(?:insertInto|insertOnce|update)\(\s*\w+,\s*'([a-z_]+)'/g,
];
const READS = [/(?<!delete )\b(?:from|join)\s+([a-z_]+)/gi];

/** The SQL of each module, as its code without comments. */
const modules = new Map<string, string>();
for (const path of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.ts') || !path.includes('/')) continue;
  const text = readFileSync(join(ROOT, 'src', path), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const module = path.split('/')[0]!;
  modules.set(module, `${modules.get(module) ?? ''}\n${code}`);
}

/** The known tables in what some patterns find, as `module → table`. */
function uses(patterns: readonly RegExp[]): { module: string; table: string; use: string }[] {
  return [...modules].flatMap(([module, code]) => {
    const found = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table]) => table!));
    return [...new Set(found)]
      .filter((table) => TABLE_OWNERS[table] !== undefined)
      .map((table) => ({ module, table, use: `${module} → ${table}` }));
  });
}

const foreign = (patterns: readonly RegExp[]) =>
  uses(patterns)
    .filter(({ module, table }) => TABLE_OWNERS[table] !== module)
    .map(({ use }) => use)
    .sort();

describe('tables', () => {
  it('all have an owner', () => {
    const migrations = readdirSync(join(ROOT, 'migrations'))
      .map((name) => readFileSync(join(ROOT, 'migrations', name), 'utf8'))
      .join('\n');
    const named = (pattern: RegExp) => [...migrations.matchAll(pattern)].map(([, table]) => table!);
    const dropped = new Set(named(/\bdrop table ([a-z_]+)/gi));
    const made = named(/\bcreate table (?:if not exists )?([a-z_]+)/gi).filter(
      (table) => !dropped.has(table),
    );

    expect(made.length).toBeGreaterThan(20);
    expect(made.filter((table) => TABLE_OWNERS[table] === undefined)).toEqual([]);
  });

  it('are written by their owners', () => {
    const own = uses(WRITES).filter(({ module, table }) => TABLE_OWNERS[table] === module);

    expect(new Set(own.map(({ table }) => table)).size).toBeGreaterThan(20);
  });

  it('are written by no other module, but for known exceptions', () => {
    expect(foreign(WRITES)).toEqual(Object.keys(FOREIGN_WRITES).sort());
  });

  it('are read by no other module, but for known exceptions', () => {
    expect(foreign(READS)).toEqual(Object.keys(FOREIGN_READS).sort());
  });
});
