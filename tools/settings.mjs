// `npm run settings`: documents the settings (src/config/settings.ts, those of the carriers and of the AI providers) in
// .env.example, docs/settings.md, docs/carriers.md and docs/providers.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BEGIN = '<!-- settings: written by `npm run settings` -->';
const END = '<!-- end of settings -->';

/** The text of .env.example: every setting, commented out, with what holds when it is not set. */
export function envExampleOf(settings) {
  const entries = Object.entries(settings).map(([name, { docs, fallback, aliases = [] }]) => {
    const also = aliases.length > 0 ? ` Also read as ${aliases.join(' or ')}.` : '';
    return `# ${docs}${also}\n#${name}=${fallback ?? ''}\n`;
  });
  return ['# Copy to .env and uncomment what you want to change.\n', ...entries].join('\n');
}

/** A page with its table of settings renewed. */
export function withSettingsTable(page, settings) {
  const rows = Object.entries(settings).map(([name, { docs, fallback, aliases = [] }]) => {
    const others = aliases.length > 0 ? ` (${aliases.map((alias) => `\`${alias}\``).join(', ')})` : '';
    const names = `\`${name}\`${others}`;
    return `| ${names} | ${fallback === null ? '–' : `\`${fallback}\``} | ${docs} |`;
  });
  const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('a page has lost the marks around its table of settings');
  return `${page.slice(0, begin)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { buildDist } = await import('./build.mjs');
  await buildDist();
  const { SETTINGS } = await import('../dist/config/settings.js');
  const { CARRIER_SETTINGS } = await import('../dist/config/carrier-settings.js');
  const { PROVIDER_SETTINGS } = await import('../dist/config/provider-settings.js');
  writeFileSync('.env.example', envExampleOf({ ...SETTINGS, ...CARRIER_SETTINGS, ...PROVIDER_SETTINGS }));
  for (const [page, settings] of [
    ['docs/settings.md', SETTINGS],
    ['docs/carriers.md', CARRIER_SETTINGS],
    ['docs/providers.md', PROVIDER_SETTINGS],
  ])
    writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8'), settings));
}
