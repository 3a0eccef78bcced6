import { isConfigured, providerVariable, type ProviderDefinition } from '#providers/provider-definition.js';
import type { ProviderSetting, ProviderSettings } from '#providers/provider-definition.js';
import { PROVIDERS } from '#providers/registry.js';
import { text, url } from './setting-forms.js';
import type { Environment, Setting, SettingProblem } from './setting.js';

/** Settings of providers by provider. */
export type ProvidersConfig = Readonly<Record<string, ProviderSettings>>;

const ONE_LINE = text(/^[^\0\r\n]+$/, 'must be one line of text');
/** Keys are sent in headers. */
const KEY = text(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces');

/** Schemas of settings that providers have in common, by key; others are any text. */
const FORMS: Readonly<Record<string, Setting['schema']>> = {
  API_KEY: KEY,
  BASE_URL: url,
  STT_BASE_URL: url,
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

/** Variables of all providers, in the order of the documentation. */
export const PROVIDER_SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(
  VARIABLES.map(({ name, key, setting }): [string, Setting] => [
    name,
    {
      schema: FORMS[key] ?? ONE_LINE,
      fallback: setting.fallback,
      docs: docsOf(setting),
      ...(setting.secret && { secret: true }),
    },
  ]),
);

/** All names read for providers, including aliases. */
export const PROVIDER_VARIABLES: readonly string[] = VARIABLES.flatMap(({ name, setting }) => [
  name,
  ...(setting.aliases ?? []),
]);

/** Reads the settings of providers; invalid values are problems. */
export function readProviders(environment: Environment, problems: SettingProblem[]): ProvidersConfig {
  const said: Record<string, Record<string, string | null>> = {};
  for (const { provider, key, setting, name } of VARIABLES) {
    const settings = (said[provider.name] ??= {});
    const used = [name, ...(setting.aliases ?? [])].find((one) => environment[one]?.trim());
    const value = used === undefined ? setting.fallback : environment[used]!.trim();
    const result = value === null ? null : (FORMS[key] ?? ONE_LINE).safeParse(value);
    if (result?.success === false)
      problems.push({ name: used ?? name, why: result.error.issues[0]?.message ?? 'is not valid' });
    settings[key] = result?.success ? String(result.data).replace(/\/+$/, '') : null;
  }
  return said;
}

/** Warnings for providers that are partly configured. */
export function unfinishedProviders(said: ProvidersConfig): string[] {
  return PROVIDERS.flatMap((provider) => {
    const settings = said[provider.name] ?? {};
    if (isConfigured(provider, settings)) return [];
    const given = Object.keys(provider.settings).filter((key) => isGiven(provider, settings, key));
    const missing = provider.configuredBy[0]?.filter((key) => !given.includes(key)) ?? [];
    if (given.length === 0 || missing.length === 0) return [];
    const variables = (keys: readonly string[]) =>
      keys.map((key) => providerVariable(provider, key)).join(', ');
    return [`${variables(given)} is set, but ${provider.name} is not used without ${variables(missing)}.`];
  });
}

function isGiven(provider: ProviderDefinition, settings: ProviderSettings, key: string): boolean {
  const value = settings[key] ?? null;
  return value !== null && value !== provider.settings[key]?.fallback;
}

function docsOf({ docs, aliases = [] }: ProviderSetting): string {
  return aliases.length === 0 ? docs : `${docs} Also read as ${aliases.join(' or ')}.`;
}
