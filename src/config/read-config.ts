import { readCarriers, usualCarrierProblems } from './carrier-settings.js';
import type { Config } from './config.js';
import { conflictsOf } from './conflicts.js';
import { deriveConfig } from './derive-config.js';
import { withDotEnv } from './dot-env.js';
import { namesUser, settingsInForce } from './settings-in-force.js';
import { readProviders, incompleteProviders } from './provider-settings.js';
import { ConfigError, givenName, type Environment, type SettingProblem, type Setting } from './setting.js';
import { type Settings, SETTINGS } from './settings.js';
import { overruledNames, strayNames } from './stray-names.js';

/**
 * Loads the configuration of the process from the environment and the file `.env` in `folder`, for the service and for
 * the commands that need settings.
 * @throws ConfigError that lists all invalid settings and lines
 */
export function loadConfig(environment: Environment, folder: string): Config {
  const problems: SettingProblem[] = [];
  return readConfig(withDotEnv(environment, folder, problems), problems);
}

/**
 * Builds the configuration in three steps: read each variable, derive values that depend on each other, freeze.
 * @param problems problems found before
 * @throws ConfigError that lists all invalid settings
 */
export function readConfig(environment: Environment, problems: SettingProblem[] = []): Config {
  const settings = readSettings(environment, problems);
  const carriers = readCarriers(environment, problems);
  const providers = readProviders(environment, problems);
  problems.push(...conflictsOf(settings), ...usualCarrierProblems(settings.CARRIER, carriers));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = deriveConfig(settings as Settings, carriers, providers);
  // Warnings about variables that are misspelt or have no effect, and about providers that are partly configured.
  const variableWarnings = [
    ...strayNames(environment),
    ...overruledNames(environment),
    ...incompleteProviders(providers),
  ];
  const inForce = settingsInForce(environment);
  return deepFreeze({
    ...config,
    settingsInForce: inForce,
    warnings: [...variableWarnings, ...config.warnings],
  });
}

/** Freezes a value and everything in it. */
function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}

/** Reads every variable by itself. An invalid value is a problem, and its setting is left out. */
function readSettings(environment: Environment, problems: SettingProblem[]): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    // An empty variable counts as unset: compose files and `.env` templates leave variables out that way.
    const nameInUse = givenName(environment, name, setting);
    const given = nameInUse === undefined ? setting.fallback : environment[nameInUse]!.trim();
    if (given === null) {
      values[name] = null;
      continue;
    }
    const result = setting.schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push({ name, reason: problemText(setting, given, result.error.issues[0]?.message) });
  }
  return values;
}

/** The text of a problem, with the invalid value unless it may be a secret. */
function problemText(setting: Setting, given: string, message = 'is not valid'): string {
  const isSecret = setting.secret || namesUser(given);
  return isSecret ? message : `${message}; it is ${JSON.stringify(given)}`;
}
