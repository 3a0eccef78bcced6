import { readCarriers, usualCarrierProblems } from './carrier-settings.js';
import type { Config } from './config.js';
import { conflictsOf } from './conflicts.js';
import { decide } from './decide.js';
import { withDotEnv } from './dot-env.js';
import { settingsInForce } from './in-force.js';
import { readProviders, unfinishedProviders } from './provider-settings.js';
import { readSettings } from './read-settings.js';
import { ConfigError, type Environment, type SettingProblem } from './setting.js';
import type { Settings } from './settings.js';
import { overruledNames, strayNames } from './stray-names.js';

/**
 * Loads the configuration from the environment and the file `.env` in `folder`.
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
  const config = decide(settings as Settings, carriers, providers);
  const ofNames = [
    ...strayNames(environment),
    ...overruledNames(environment),
    ...unfinishedProviders(providers),
  ];
  const inForce = settingsInForce(environment);
  return deepFreeze({
    ...config,
    settingsInForce: inForce,
    warnings: [...ofNames, ...config.warnings],
  });
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
