import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describeSystemError } from '#kernel/errors/system-error.js';
import type { Environment, Setting, SettingProblem } from './setting.js';
import { SETTINGS } from './settings.js';

/** Matches a setting: its name and its value, which may span several lines in quotes. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?[^\s=#]+[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?.*$/gm;

/**
 * Adds the file `.env` in `folder` to the environment, for `loadConfig`. A variable that is already set wins over the
 * file, also if it is set under the other name of a setting (`alias`).
 * @param problems receives an unreadable file, and lines that set nothing
 */
export function withDotEnv(
  environment: Environment,
  folder: string,
  problems: SettingProblem[],
): Environment {
  const text = readDotEnv(join(folder, '.env'), problems);
  const ineffective = ineffectiveLines(text);
  for (const line of ineffective) {
    const reason = `line ${line} sets nothing: settings are written as NAME=value, comments begin with #`;
    problems.push({ name: '.env', reason });
  }
  // Node's parser would take an ineffective line for the start of the next name.
  const effective = text.split('\n').filter((_, index) => !ineffective.includes(index + 1));
  const written = parseEnv(effective.join('\n'));
  for (const [name, { aliases }] of Object.entries<Setting>(SETTINGS))
    if (aliases?.some((alias) => environment[alias])) delete written[name];
  return { ...written, ...environment };
}

/** The text of the file; empty if there is none, or if it is unreadable. */
function readDotEnv(path: string, problems: SettingProblem[]): string {
  try {
    // Some editors write a byte-order mark, which would become part of the first name.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    const reason = error instanceof TypeError ? 'it is not written in UTF-8' : describeSystemError(error);
    problems.push({ name: '.env', reason: `cannot be read: ${reason}` });
    return '';
  }
}

/** The numbers of the lines that are neither settings nor comments. Warnings omit their text, which may be a secret. */
function ineffectiveLines(text: string): number[] {
  // Settings are replaced by their line breaks, so that the numbers of the other lines stay.
  const rest = text.replace(ASSIGNMENT, (setting) => setting.replaceAll(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, index) => (/^\s*(?:#|$)/.test(line) ? [] : [index + 1]));
}
