import type { Config } from '#config/config.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import type { AddressGuard } from '#outbound-http/address-guard.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { BUILT_IN_LISTINGS } from '#providers/listings.js';
import { openModels, type Models } from '#providers/models.js';
import type { Tools } from './replacements.js';

/** The language models of this process, and the connections to their providers. */
export interface OpenedModels {
  models: Models;
  close(): Promise<void>;
}

/** @param guard keeps requests to the servers of customers out of our own network */
export function openLanguageModels(
  config: Config,
  { clock, ids, log }: Tools,
  guard: AddressGuard,
): OpenedModels {
  const pool = openHttpPool({ clock });
  const guardedPool = openHttpPool({ clock, guard });
  const models = openModels(
    { settings: config.providers, packages: config.aiSdkPackages },
    {
      clock,
      ids,
      log,
      fetch: createFetch({ pool }),
      guardedFetch: createFetch({ pool: guardedPool }),
    },
  );
  return {
    models,
    async close() {
      models.close();
      await Promise.all([pool.close(), guardedPool.close()]);
    },
  };
}

/** What agents may name here: the built-in providers and the language models. */
export function knownProviders(config: Config, models: Models): KnownProviders {
  const ai = models
    .listings()
    .map(({ defaultModel: default_model, ...listing }) => ({ ...listing, default_model }));
  return {
    ...BUILT_IN_LISTINGS,
    ai: [...BUILT_IN_LISTINGS.ai, ...ai],
    whenUnconfigured: config.unconfiguredProviders,
  };
}
