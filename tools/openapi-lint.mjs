// Holds openapi.json to the strictest ready-made rules. The linter is kept from asking anything of the outside.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OPENAPI_FILE } from './openapi.mjs';

const packageFile = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const { status } = spawnSync(
  process.execPath,
  [join(dirname(packageFile), 'bin/cli.js'), 'lint', OPENAPI_FILE, '--extends=recommended-strict'],
  {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
process.exitCode = status ?? 1;
