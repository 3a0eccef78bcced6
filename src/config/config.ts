import type { decide } from './decide.js';
import type { SettingInForce } from './in-force.js';

/** The configuration of the process, frozen: what the settings come to. */
export interface Config extends Readonly<ReturnType<typeof decide>> {
  /** All settings with their values, except secrets. */
  readonly settingsInForce: readonly SettingInForce[];
}
