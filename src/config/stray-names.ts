import { closeName } from '#kernel/input/close-name.js';
import { variableOf } from '#telephony/wire/carrier-definition.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { CARRIER_SETTINGS } from './carrier-settings.js';
import { PROVIDER_VARIABLES } from './provider-settings.js';
import type { Environment, Setting } from './setting.js';
import { SETTINGS } from './settings.js';

/** Prefixes of our settings that other programs hardly use: unknown variables with them are reported. */
const FAMILIES = ['WEBHOOK_', 'JWT_', 'SANDBOX_', ...REMOTE_CARRIERS.map(({ name }) => variableOf(name, ''))];
/** Variables that Kubernetes sets in every container for neighbouring services. */
const SET_BY_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_[A-Z0-9_]+)?)$/;

/**
 * Warnings for unknown variables that are probably misspelt: their setting would silently keep its default. Values are
 * not shown. Only warnings, because the environment is shared with other programs.
 */
export function strayNames(environment: Environment): string[] {
  const known = namesOfSettings();
  const strays = Object.keys(environment).filter(
    (name) => environment[name]?.trim() && !known.has(name) && !SET_BY_KUBERNETES.test(name),
  );
  return strays.flatMap((name) => {
    const suggestion = closeName(name, known);
    if (suggestion !== null) return [`${name} is set, but nothing reads it: ${suggestion}?`];
    return FAMILIES.some((family) => name.startsWith(family))
      ? [`${name} is set, but nothing reads it.`]
      : [];
  });
}

/** Warnings for settings given under both names with different values. Values are not shown. */
export function overruledNames(environment: Environment): string[] {
  const valueOf = (name: string) => environment[name]?.trim().toLowerCase() || null;
  return Object.entries<Setting>(SETTINGS).flatMap(([name, { aliases = [] }]) =>
    aliases
      .filter((alias) => valueOf(name) && valueOf(alias) && valueOf(name) !== valueOf(alias))
      .map((alias) => `${alias} is set, but not what counts: ${name} is set to something else.`),
  );
}

function namesOfSettings(): Set<string> {
  const names = Object.entries<Setting>(SETTINGS).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
  return new Set([...names, ...Object.keys(CARRIER_SETTINGS), ...PROVIDER_VARIABLES]);
}
