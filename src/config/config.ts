import type { decide } from './decide.js';
import type { SettingInForce } from './in-force.js';

/**
 * The configuration of the process, derived from the settings by `decide` and frozen. `loadConfig` reads it at the
 * start; the composition root and the commands pass its parts to the modules.
 */
export interface Config extends Readonly<ReturnType<typeof decide>> {
  /** All settings with their values, except secrets. */
  readonly settingsInForce: readonly SettingInForce[];
}
