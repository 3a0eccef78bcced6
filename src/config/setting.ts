import type { z } from 'zod';

/** One environment variable of the service: a row of the tables of settings. */
export interface Setting<Value = unknown> {
  /** Parses the text of the variable. Its messages continue the name: "must be …". */
  schema: z.ZodType<Value, string>;
  /** The default as text; null for none. */
  fallback: string | null;
  /**
   * The meaning of the setting, with units; shown in `.env.example` and docs/settings.md, carriers.md or providers.md.
   */
  docs: string;
  /** Other names, read in this order if the variable itself is not set. */
  aliases?: readonly string[];
  /** True: the value is never shown, not even if invalid. */
  secret?: true;
}

/** The name under which a setting is given: its own, or an alias; undefined if it is not set. Empty counts as unset. */
export function givenName(
  environment: Environment,
  name: string,
  { aliases = [] }: Pick<Setting, 'aliases'>,
): string | undefined {
  return [name, ...aliases].find((candidate) => environment[candidate]?.trim());
}

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid setting. `reason` continues the name: "must be …". */
export interface SettingProblem {
  name: string;
  reason: string;
}

/** Invalid settings; prevents the start. The message lists all of them, without secret values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const count = problems.length === 1 ? 'A setting is' : `${problems.length} settings are`;
    super([`${count} wrong:`, ...problems.map(({ name, reason }) => `  ${name}: ${reason}`)].join('\n'));
    this.problems = problems;
  }
}
