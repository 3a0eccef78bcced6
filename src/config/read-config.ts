import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { inWords } from '../kernel/system-trouble.js';
import { readCarriers, usualCarrierProblems } from './carrier-settings.js';
import type { Config } from './config.js';
import { conflictsOf } from './conflicts.js';
import { decide } from './decide.js';
import { readSettings } from './read-settings.js';
import { ConfigError, type Environment, type Setting, type SettingProblem } from './setting.js';
import { SETTINGS, type Settings } from './settings.js';
import { strayNames } from './stray-names.js';

/**
 * The configuration that an environment asks for, in three steps: every variable is read by itself, then what they
 * mean together is decided, then the result is frozen.
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(environment: Environment): Config {
  const problems: SettingProblem[] = [];
  const settings = readSettings(environment, problems);
  const carriers = readCarriers(environment, problems);
  problems.push(...conflictsOf(settings), ...usualCarrierProblems(settings.CARRIER, carriers));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = decide(settings as Settings, carriers);
  return deepFreeze({ ...config, warnings: [...strayNames(environment), ...config.warnings] });
}

/** The environment with what the file `.env` in `folder` adds; a variable that is really set wins, by either name. */
export function withDotEnv(environment: Environment, folder: string): Environment {
  try {
    const written = parseEnv(withoutMark(readFileSync(join(folder, '.env'), 'utf8')));
    for (const [name, { alias }] of Object.entries<Setting>(SETTINGS))
      if (alias && environment[alias]) delete written[name];
    return { ...written, ...environment };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return environment;
    throw new ConfigError([{ name: '.env', why: `cannot be read: ${inWords(error)}` }]);
  }
}

/** Some editors begin a file with a byte order mark, which would be taken for a part of the first name. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
