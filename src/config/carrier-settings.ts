import { z } from 'zod';
import { variableOf, type CarrierSettings } from '#telephony/wire/carrier-definition.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { choice, privateKey, text, url, wholeNumber } from './setting-forms.js';
import type { Environment, Setting, SettingProblem } from './setting.js';

// The settings of carriers: the table of their environment variables, for the documents and the setup page of the
// console, and the functions that read and check them, for `readConfig`.

/** A configured carrier with its settings. */
export interface ConfiguredCarrier {
  name: string;
  settings: CarrierSettings;
}

/** The schemas of some settings, which several carriers may have, by key. */
const SCHEMAS: Readonly<Record<string, z.ZodType<unknown, string>>> = {
  API_URL: url,
  CALLS_PER_SECOND: wholeNumber(1, 10_000),
  MACHINE_DETECTION: choice(['on', 'off']),
  PRIVATE_KEY: privateKey,
  PUBLIC_KEY: text(/^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/, 'must be 32 bytes as base64'),
};
/** The schema of all other settings. */
const ANY_TEXT = text(/^[^\0\r\n]+$/, 'must be one line of text');

/** The settings of all carriers by the name of the variable, in the order of the documentation. */
export const CARRIER_SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(
  REMOTE_CARRIERS.flatMap((carrier) =>
    Object.entries(carrier.settings).map(([key, { docs, fallback, secret }]): [string, Setting] => [
      variableOf(carrier.name, key),
      { schema: SCHEMAS[key] ?? ANY_TEXT, fallback, docs, ...(secret ? { secret } : {}) },
    ]),
  ),
);

/**
 * Reads the carriers of which at least one required variable is set.
 * @param problems receives invalid values, and the missing variables of a carrier that is only partly set
 */
export function readCarriers(environment: Environment, problems: SettingProblem[]): ConfiguredCarrier[] {
  return REMOTE_CARRIERS.flatMap(({ name, settings }) => {
    const isAnySet = Object.entries(settings).some(
      ([key, { required }]) => required && environment[variableOf(name, key)]?.trim(),
    );
    if (!isAnySet) return [];
    const read = Object.entries(settings).map(([key, setting]): [string, string | null] => {
      const variable = variableOf(name, key);
      const value = environment[variable]?.trim() || setting.fallback;
      const result = value === null ? null : (SCHEMAS[key] ?? ANY_TEXT).safeParse(value);
      if (result?.success === false)
        problems.push({ name: variable, reason: result.error.issues[0]?.message ?? 'is not valid' });
      if (value === null && setting.required)
        problems.push({ name: variable, reason: `must be set too: ${name} cannot be used without it` });
      return [key, result?.success ? withoutSlash(String(result.data)) : null];
    });
    return [{ name, settings: Object.fromEntries(read) }];
  });
}

/**
 * The problem of a carrier that is chosen for outbound calls but not configured. None if the choice is invalid itself.
 */
export function usualCarrierProblems(
  usual: string | undefined,
  carriers: readonly ConfiguredCarrier[],
): SettingProblem[] {
  if (usual === undefined || usual === 'sandbox' || carriers.some(({ name }) => name === usual)) return [];
  return [
    { name: 'CARRIER', reason: `is ${usual}, whose own settings (${usual.toUpperCase()}_…) are missing` },
  ];
}

/** Removes the slash at the end of a URL, to which the code appends paths. */
function withoutSlash(value: string): string {
  return /^https?:/.test(value) ? value.replace(/\/+$/, '') : value;
}
