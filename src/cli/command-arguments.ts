import { parseArgs } from 'node:util';
import { UsageError, type Command, type CommandArguments, type OptionRule } from './command.js';

/**
 * Parses the words of the command line after a command's name, for `runCommandLine`.
 * @throws UsageError for the first mistake: an unknown or repeated option, a missing or superfluous value or operand
 */
export function readArguments(command: Command, rest: readonly string[]): CommandArguments {
  const { tokens, positionals } = parseArgs({
    args: [...rest],
    options:
      command.otherOptions === undefined
        ? command.options
        : { ...otherOptionRules(rest), ...command.options },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (Object.hasOwn(options, token.name)) throw new UsageError(`${token.rawName} is given twice`);
    options[token.name] = valueOf(command, token);
  }
  const [missing] = command.operands.slice(positionals.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing: ${lineOf(command)}`);
  const [surplus] = positionals.slice(command.operands.length);
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many: ${lineOf(command)}`);
  return { options, operands: positionals };
}

/**
 * The rule of options whose names a command does not know in advance, such as `--name Ada` of `talk`: they have a
 * value.
 */
const OTHER_OPTION: OptionRule = { type: 'string' };

/**
 * The same rule for every option of the command line, whatever its name: without a rule, `parseArgs` would read the
 * option's value as an operand. The rules of the command's own options replace these.
 */
function otherOptionRules(rest: readonly string[]): Record<string, OptionRule> {
  const named = rest.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
  return Object.fromEntries(named.map((name) => [name, OTHER_OPTION]));
}

/** An option as `parseArgs` reports it. */
interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

/** The value of an option. @throws UsageError for an unknown option, or a missing or superfluous value */
function valueOf(
  { options, otherOptions }: Command,
  { name, rawName, value, inlineValue }: OptionToken,
): string | boolean {
  const namedRule = Object.hasOwn(options, name) ? options[name] : undefined;
  const rule = namedRule ?? (otherOptions === undefined ? undefined : OTHER_OPTION);
  if (!rule) throw new UsageError(`there is no option ${rawName}`);
  if (rule.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  // In `--name --days 3` the value of `--name` was forgotten: the next option is not its value. A value that begins
  // with a dash is written `--name=-3`.
  const isForgotten = value === undefined || value === '' || (!inlineValue && value.startsWith('-'));
  if (isForgotten) throw new UsageError(`${rawName} needs a value`);
  return value;
}

/** The usage line of a command, without its options: `callwright keys revoke <key id>`. */
export function lineOf({ name, operands }: Command): string {
  return ['callwright', name, ...operands].join(' ');
}
