import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Config } from '#config/config.js';
import { readConfig } from '#config/read-config.js';
import { CARRIER_SETTINGS } from '#config/carrier-settings.js';
import { PROVIDER_SETTINGS } from '#config/provider-settings.js';
import { SETTINGS } from '#config/settings.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { envExampleOf, withSettingsTable } from '../../../tools/settings.mjs';

const ALL_SETTINGS = { ...SETTINGS, ...CARRIER_SETTINGS, ...PROVIDER_SETTINGS };

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** A table the way its author and the formatter both might lay it out. */
const withoutPadding = (markdown: string) => markdown.replace(/ +/g, ' ').replace(/-+/g, '-');

describe('what is written about the settings', () => {
  it('.env.example names every one of them', () => {
    expect(read('.env.example')).toBe(envExampleOf(ALL_SETTINGS));
  });

  it('.env.example with every line in force means the same as none', () => {
    const everything = read('.env.example').replace(/^#(?=\w+=)/gm, '');

    expect(Object.keys(parseEnv(everything)).sort()).toEqual(Object.keys(ALL_SETTINGS).sort());
    // Which variables are set is shown, and is all that differs.
    const decided = ({ settingsInForce: _shown, ...config }: Config) => config;
    expect(decided(readConfig(parseEnv(everything)))).toEqual(decided(readConfig({})));
  });

  it.each([
    ['docs/settings.md', SETTINGS],
    ['docs/carriers.md', CARRIER_SETTINGS],
    ['docs/providers.md', PROVIDER_SETTINGS],
  ])('%s shows every one of its own', (path, settings) => {
    const page = read(path);

    expect(withoutPadding(page)).toBe(withoutPadding(withSettingsTable(page, settings)));
  });
});

describe('what is written about the sandbox network', () => {
  it('docs/sandbox.md shows everybody who lives there, in the order of their numbers', () => {
    const shown = [...read('docs/sandbox.md').matchAll(/^\| `(\+\d+)`/gm)].map((match) => match[1]);

    expect(shown).toEqual(PERSONAS.map((persona) => persona.number).sort());
  });
});
