import type { Config } from '#config/config.js';
import type { AddressGuard } from '#outbound-http/address-guard.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { Models } from '#providers/models.js';
import { knownProviders, openLanguageModels } from './open-models.js';
import type { Replacements, Tools } from './replacements.js';
import { openTooling, type Tooling } from './tool-parts.js';

/** What agents talk through: the language models, and their tools. */
export interface Talking {
  models: Models;
  providers: KnownProviders;
  tooling: Tooling;
  close(): Promise<void>;
}

/** @param parts.guard keeps requests to the servers of customers out of our own network */
export function openTalking(
  config: Config,
  parts: Tools & { guard: AddressGuard },
  replace: Partial<Replacements>,
): Talking {
  const { models, close } = openLanguageModels(config, parts, parts.guard);
  const tooling = openTooling(config, parts, replace);
  return {
    models,
    providers: knownProviders(config, models),
    tooling,
    close: async () => void (await Promise.all([close(), tooling.close()])),
  };
}
