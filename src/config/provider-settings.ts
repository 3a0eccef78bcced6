import { isConfigured, providerVariable, type ProviderDefinition } from '#providers/provider-definition.js';
import type { ProviderSettings } from '#providers/provider-definition.js';
import { PROVIDERS } from '#providers/registry.js';
import { text, url } from './setting-forms.js';
import { givenName, type Environment, type Setting, type SettingProblem } from './setting.js';

// The settings of AI providers (language models, voices, recognisers): the table of their environment variables, for
// the documents and the setup page of the console, and the functions that read and check them, for `readConfig`.

/** The settings of each provider by its name. */
export type ProvidersConfig = Readonly<Record<string, ProviderSettings>>;

const ONE_LINE = text(/^[^\0\r\n]+$/, 'must be one line of text');
/** The schema of API keys, which are sent in headers. */
const KEY = text(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces');
/** The schema of base addresses, which are stored without a final slash: paths are appended to them. */
const BASE_ADDRESS = url.transform((address) => address.replace(/\/+$/, ''));

/** The schemas of settings that providers have in common, by key; any other setting is one line of text. */
const SCHEMAS: Readonly<Record<string, Setting['schema']>> = {
  API_KEY: KEY,
  BASE_URL: BASE_ADDRESS,
  STT_BASE_URL: BASE_ADDRESS,
};

/** All variables of all providers, with provider and key. */
const VARIABLES = PROVIDERS.flatMap((provider) =>
  Object.entries(provider.settings).map(([key, setting]) => ({
    provider,
    key,
    setting,
    name: providerVariable(provider, key),
  })),
);

/** The same variables as settings, by name, in the order of the documentation. */
export const PROVIDER_SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(
  VARIABLES.map(({ name, key, setting }): [string, Setting] => [
    name,
    {
      schema: SCHEMAS[key] ?? ONE_LINE,
      fallback: setting.fallback,
      docs: setting.docs,
      ...(setting.aliases && { aliases: setting.aliases }),
      ...(setting.secret && { secret: true }),
    },
  ]),
);

/** The names of all variables of providers, including aliases. */
export const PROVIDER_VARIABLES: readonly string[] = VARIABLES.flatMap(({ name, setting }) => [
  name,
  ...(setting.aliases ?? []),
]);

/** Reads the settings of providers. @param problems receives invalid values */
export function readProviders(environment: Environment, problems: SettingProblem[]): ProvidersConfig {
  const settingsByProvider: Record<string, Record<string, string | null>> = {};
  for (const { provider, key, setting, name } of VARIABLES) {
    const settings = (settingsByProvider[provider.name] ??= {});
    const nameInUse = givenName(environment, name, setting);
    const value = nameInUse === undefined ? setting.fallback : environment[nameInUse]!.trim();
    const result = value === null ? null : (SCHEMAS[key] ?? ONE_LINE).safeParse(value);
    if (result?.success === false)
      problems.push({ name: nameInUse ?? name, reason: result.error.issues[0]?.message ?? 'is not valid' });
    settings[key] = result?.success ? String(result.data) : null;
  }
  return settingsByProvider;
}

/** Warnings for providers that are partly configured. */
export function incompleteProviders(settingsByProvider: ProvidersConfig): string[] {
  return PROVIDERS.flatMap((provider) => {
    const settings = settingsByProvider[provider.name] ?? {};
    if (isConfigured(provider, settings)) return [];
    const given = Object.keys(provider.settings).filter((key) => isGiven(provider, settings, key));
    // Of several ways to configure a provider, the first is named.
    const missing = provider.configuredBy[0]?.filter((key) => !given.includes(key)) ?? [];
    if (given.length === 0 || missing.length === 0) return [];
    const variables = (keys: readonly string[]) =>
      keys.map((key) => providerVariable(provider, key)).join(', ');
    return [`${variables(given)} is set, but ${provider.name} is not used without ${variables(missing)}.`];
  });
}

/** True for a setting with a value other than its default. */
function isGiven(provider: ProviderDefinition, settings: ProviderSettings, key: string): boolean {
  const value = settings[key] ?? null;
  return value !== null && value !== provider.settings[key]?.fallback;
}
