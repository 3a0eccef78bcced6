import type { Environment, Setting, SettingProblem } from './setting.js';
import { SETTINGS, type Settings } from './settings.js';

/** Reads every variable by itself; invalid ones are problems and omitted. */
export function readSettings(environment: Environment, problems: SettingProblem[]): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    // An empty variable counts as unset: compose files and `.env` templates leave variables out that way.
    const said = environment[name]?.trim() || (setting.alias && environment[setting.alias]?.trim());
    const given = said || setting.fallback;
    if (given === null) {
      values[name] = null;
      continue;
    }
    const result = setting.schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push({ name, why: whyOf(setting, given, result.error.issues[0]?.message) });
  }
  return values;
}

/** An address with a user usually has a password too. */
const NAMES_A_USER = /\/\/[^/]*@/;

function whyOf(setting: Setting, given: string, message = 'is not valid'): string {
  const isSecret = setting.secret || NAMES_A_USER.test(given);
  return isSecret ? message : `${message}; it is ${JSON.stringify(given)}`;
}
