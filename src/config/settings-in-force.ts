import { CARRIER_SETTINGS } from './carrier-settings.js';
import { PROVIDER_SETTINGS } from './provider-settings.js';
import { givenName, type Environment, type Setting } from './setting.js';
import { SETTINGS } from './settings.js';

// The settings in force, for the console's setup page (`GET /api/setup`).

/** A setting with its value in this process. */
export interface SettingInForce {
  name: string;
  /** Null for no value, and for a secret. */
  value: string | null;
  /** True if its variable is set; otherwise the value is the default. */
  isSet: boolean;
  isSecret: boolean;
  docs: string;
}

const ALL_SETTINGS: Readonly<Record<string, Setting>> = {
  ...SETTINGS,
  ...CARRIER_SETTINGS,
  ...PROVIDER_SETTINGS,
};

/** True for a URL with a user name, which usually has a password too: it is treated as a secret. */
export function namesUser(value: string): boolean {
  return /\/\/[^/]*@/.test(value);
}

/** All settings with their values; secrets are hidden. */
export function settingsInForce(environment: Environment): SettingInForce[] {
  return Object.entries(ALL_SETTINGS).map(([name, setting]) => {
    const { fallback, secret, docs } = setting;
    const nameInUse = givenName(environment, name, setting);
    const given = nameInUse === undefined ? null : environment[nameInUse]!.trim();
    const isSecret = secret === true || (given !== null && namesUser(given));
    return { name, value: isSecret ? null : (given ?? fallback), isSet: given !== null, isSecret, docs };
  });
}
