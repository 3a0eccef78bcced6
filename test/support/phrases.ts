import { readFileSync, readdirSync } from 'node:fs';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';

const FOLDER = new URL('../phrases/', import.meta.url);

const phraseGroup = z.looseObject({
  /** What the phrases have in common. */
  why: z.string().optional(),
  /** The meaning of every phrase in a list; a map has one per phrase. */
  expected: z.string().optional(),
  phrases: z.union([z.array(z.string()).min(1), z.record(z.string(), z.string())]),
});

type Group = z.output<typeof phraseGroup>;

/** The context of a phrase: the additional fields of its group, its language, and its expected meaning. */
export type PhraseContext<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields, z.core.$strict>> & {
  language: string;
  expected: string;
};

/**
 * Tests a file of `test/phrases/<language>/` in every language that has it: one test per group. `fields` are
 * additional fields of a group, such as the question; `read` returns the meaning of a phrase in the file's terms.
 */
export function testPhrases<Fields extends z.ZodRawShape>(
  file: string,
  fields: Fields,
  read: (text: string, context: PhraseContext<Fields>) => string | Promise<string>,
): void {
  for (const language of languagesWith(file))
    describe(`${file} (${language})`, () => {
      const source = readFileSync(new URL(`${language}/${file}`, FOLDER), 'utf8');
      for (const group of z.array(phraseGroup).parse(parse(source))) {
        const { why: _why, expected: _expected, phrases: _phrases, ...further } = group;
        const context = z.strictObject(fields).parse(further);
        const meanings = meaningsIn(group);
        it(`reads ${nameOf(group)}`, async () => {
          const found: Record<string, string> = {};
          for (const [text, expected] of Object.entries(meanings))
            found[text] = await read(text, { ...context, language, expected });
          expect(found).toEqual(meanings);
        });
      }
    });
}

function languagesWith(file: string): string[] {
  const languages = readdirSync(FOLDER).filter((language) =>
    readdirSync(new URL(language, FOLDER)).includes(file),
  );
  if (languages.length === 0) throw new Error(`no language has phrases in ${file}`);
  return languages;
}

/** The name of a group's test: what its phrases have in common, their question, and their meaning if it is the same. */
function nameOf({ why, asked, question: hopedFor, expected }: Group): string {
  const answered = typeof asked === 'string' ? asked : JSON.stringify(hopedFor);
  return [why, answered, expected].filter((part) => part !== undefined).join(': ') || 'every phrase';
}

/** The meaning of each phrase in a group. */
function meaningsIn(group: Group): Record<string, string> {
  const { expected, phrases } = group;
  if (!Array.isArray(phrases)) return phrases;
  if (expected === undefined) throw new Error(`the list of "${nameOf(group)}" does not say what is expected`);
  const twice = phrases.filter((text, index) => phrases.indexOf(text) < index);
  if (twice.length > 0) throw new Error(`the list of "${nameOf(group)}" repeats ${twice.join(', ')}`);
  return Object.fromEntries(phrases.map((text) => [text, expected]));
}

/** What a question expects: its kind, or an object with limits, options or phrases. */
export const question = z.union([
  z.string().transform((kind) => ({ kind }) as PlaybookExpectation),
  z.looseObject({ kind: z.string() }).transform((whole) => whole as PlaybookExpectation),
]);

/** The question of a group without its own. */
export const questionFor = (
  kind: 'yes_no' | 'date' | 'time' | 'number' | 'phone_number' | 'name' | 'anything',
) => question.default({ kind });

/** The surroundings of a phrase, if relevant: time, place, question. */
export const surroundings = {
  /** The text of the question. */
  asked: z.string().optional(),
  /** The name of the callee. */
  called: z.string().optional(),
  /** The local time of the call; by default a Saturday at half past twelve. */
  now: z.string().default('2026-11-21T12:30'),
  zone: z.string().default('America/New_York'),
  /** The country of the phone number. */
  region: z
    .string()
    .refine((region) => region === 'unknown' || isSupportedCountry(region))
    .default('US'),
};

/** The surroundings in the readers' form. */
export function surroundingsOf({ asked, called, now, zone, region }: PhraseContext<typeof surroundings>) {
  return {
    asked: asked ?? null,
    callee: called ?? null,
    now: DateTime.fromISO(now, { zone }),
    region: region === 'unknown' ? undefined : region,
  };
}

/** A value in the lists' form. */
export function written(value: string | typeof NOT_POSSIBLE | null): string {
  if (value === NOT_POSSIBLE) return 'not possible';
  return value ?? 'nothing';
}
