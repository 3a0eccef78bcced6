import type { z } from 'zod';

/** One environment variable that the service reads. */
export interface Setting<Value = unknown> {
  /** Reads the text of the variable. Its messages go on from the name: "must be …". */
  schema: z.ZodType<Value, string>;
  /** The text that holds when the variable is not set; null when nothing does. */
  fallback: string | null;
  /** What it means, with units; shown in `.env.example` and docs/settings.md, carriers.md or providers.md. */
  docs: string;
  /** Another name it is read under when its own is not set. */
  alias?: string;
  /** Its value is never shown, not even when it is wrong. */
  secret?: true;
}

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is wrong, and why. */
export interface SettingProblem {
  name: string;
  why: string;
}

/** Some settings are wrong. The message names all of them, and the value of none that is secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const count = problems.length === 1 ? 'A setting is' : `${problems.length} settings are`;
    super([`${count} wrong:`, ...problems.map(({ name, why }) => `  ${name}: ${why}`)].join('\n'));
    this.problems = problems;
  }
}
