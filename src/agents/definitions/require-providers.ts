import { Problem } from '#kernel/errors/errors.js';
import {
  unconfiguredFieldsOf,
  type KnownProviders,
  type NamedProviders,
} from '#providers/choose-providers.js';

/*
 * The setting UNCONFIGURED_PROVIDERS decides what happens to calls whose agent names a provider that is not configured:
 * they use the built-in provider, or they are refused by these functions when they are created, and again when they are
 * dialled or answered.
 */

/** True if calls of an agent are refused because it names a provider that is not configured. */
export function isRefused(agent: NamedProviders, known: KnownProviders): boolean {
  return known.whenUnconfigured === 'refuse' && unconfiguredFieldsOf(agent, known).length > 0;
}

/**
 * Refuses a request whose agent names a provider that is not configured, if the service is set to refuse it.
 * @throws Problem `provider_not_configured`
 */
export function requireProviders(agent: NamedProviders, known: KnownProviders): void {
  if (!isRefused(agent, known)) return;
  throw new Problem('provider_not_configured', 'The agent names a provider that is not configured here.', {
    details: unconfiguredFieldsOf(agent, known).map((field) => ({
      field: `agent.${field}`,
      code: 'provider_not_configured',
      message: `'${agent[field]}' is not configured; see GET /api/providers`,
    })),
  });
}
