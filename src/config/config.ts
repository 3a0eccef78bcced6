import type { deriveConfig } from './derive-config.js';
import type { SettingInForce } from './settings-in-force.js';

/**
 * The configuration of the process, derived from the settings by `deriveConfig` and frozen. `loadConfig` reads it at
 * the start; the composition root and the commands pass its parts to the modules.
 */
export interface Config extends Readonly<ReturnType<typeof deriveConfig>> {
  /** All settings with their values, except secrets. */
  readonly settingsInForce: readonly SettingInForce[];
}
