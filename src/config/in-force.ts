import { CARRIER_SETTINGS } from './carrier-settings.js';
import { PROVIDER_SETTINGS } from './provider-settings.js';
import type { Environment, Setting } from './setting.js';
import { SETTINGS } from './settings.js';

/** A setting as it holds in this process. */
export interface SettingInForce {
  name: string;
  /** Null where nothing holds, and for a secret. */
  value: string | null;
  /** Whether its variable is set; else the value is the usual one. */
  isSet: boolean;
  isSecret: boolean;
  docs: string;
}

const ALL: Readonly<Record<string, Setting>> = { ...SETTINGS, ...CARRIER_SETTINGS, ...PROVIDER_SETTINGS };

/** An address with a user has a password, too, more often than not. */
const NAMES_A_USER = /\/\/[^/]*@/;

/** Every setting with what the environment says of it; what is secret is not shown. */
export function settingsInForce(environment: Environment): SettingInForce[] {
  return Object.entries(ALL).map(([name, { alias, fallback, secret, docs }]) => {
    const said = environment[name]?.trim() || (alias && environment[alias]?.trim()) || null;
    const isSecret = secret === true || (said !== null && NAMES_A_USER.test(said));
    return { name, value: isSecret ? null : (said ?? fallback), isSet: said !== null, isSecret, docs };
  });
}
