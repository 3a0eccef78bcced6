// Writes what the table of settings (src/settings.ts, and those of the carriers) says into .env.example and README.md. `npm run settings`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BEGIN = '<!-- settings: written by `npm run settings` -->';
const END = '<!-- end of settings -->';

/** The text of .env.example: every setting, commented out, with what holds when it is not set. */
export function envExampleOf(settings) {
  const entries = Object.entries(settings).map(([name, { docs, fallback, alias }]) => {
    const also = alias ? ` Also read as ${alias}.` : '';
    return `# ${docs}${also}\n#${name}=${fallback ?? ''}\n`;
  });
  return ['# Copy to .env and take the # away from what you want to change.\n', ...entries].join('\n');
}

/** README.md with its table of settings renewed. */
export function withSettingsTable(readme, settings) {
  const rows = Object.entries(settings).map(([name, { docs, fallback, alias }]) => {
    const names = alias ? `\`${name}\` (\`${alias}\`)` : `\`${name}\``;
    return `| ${names} | ${fallback === null ? '–' : `\`${fallback}\``} | ${docs} |`;
  });
  const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('README.md has lost the marks around its table of settings');
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table}\n\n${readme.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { buildDist } = await import('./build.mjs');
  await buildDist();
  const { ALL_SETTINGS } = await import('../dist/carrier-settings.js');
  writeFileSync('.env.example', envExampleOf(ALL_SETTINGS));
  writeFileSync('README.md', withSettingsTable(readFileSync('README.md', 'utf8'), ALL_SETTINGS));
}
