// `npm run check`: every rule of the code that a program can check, all of them even when one fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setUpToDevelop } from './setup.mjs';

/**
 * What is checked, and what npm is asked to do for it.
 * @type {[string, string[]][]}
 */
const CHECKS = [
  ['lock file', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']],
  ['format', ['run', '--silent', 'format:check']],
  ['lint', ['run', '--silent', 'lint']],
  ['types', ['run', '--silent', 'typecheck']],
  ['dead code', ['run', '--silent', 'deadcode']],
  ['architecture', ['run', '--silent', 'architecture']],
  ['openapi', ['run', '--silent', 'openapi:lint']],
];

await setUpToDevelop();
const cwd = fileURLToPath(new URL('..', import.meta.url));
const failed = [];
for (const [name, args] of CHECKS) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}\n`);
  if (status === 0) continue;
  process.stdout.write(`${stdout}${stderr}\n`);
  failed.push(name);
}
process.stdout.write(failed.length === 0 ? 'All checks passed.\n' : `Failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
