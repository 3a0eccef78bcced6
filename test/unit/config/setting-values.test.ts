import { describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';
import { ConfigError, type Environment } from '#config/setting.js';

function problemsOf(environment: Environment) {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('values of settings', () => {
  it('refuses origins that no browser would ever send', () => {
    for (const CORS_ORIGINS of [
      'https://*.example.com',
      'https://a.example/',
      'a.example',
      'https://a:99999',
    ])
      expect(problemsOf({ CORS_ORIGINS }).map(({ name }) => name)).toEqual(['CORS_ORIGINS']);
    expect(readConfig({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
  });

  it('reads countries in either case, and refuses what is none in a line that can be read', () => {
    const config = readConfig({ DEFAULT_REGION: 'us', ALLOWED_COUNTRIES: 'us, gb' });
    expect(config.defaultRegion).toBe('US');
    expect(config.policy.countries).toEqual(['US', 'GB']);
    const problems = problemsOf({ DEFAULT_REGION: 'UK', ALLOWED_COUNTRIES: 'US GB' });
    expect(problems).toEqual([
      {
        name: 'DEFAULT_REGION',
        reason: 'must be the two-letter code of a country, such as US or GB; it is "UK"',
      },
      {
        name: 'ALLOWED_COUNTRIES',
        reason: 'must be the two-letter code of a country, such as US or GB; it is "US GB"',
      },
    ]);
  });

  it.each(['sqlite::memory:', 'sqlite:', 'postgres://', 'postgres://u:p@h:99999/d', 'mysql://h/d'])(
    'refuses the database %s',
    (DATABASE_URL) => {
      expect(problemsOf({ DATABASE_URL }).map(({ name }) => name)).toEqual(['DATABASE_URL']);
    },
  );

  it.each([
    'postgres://user@/db?host=/run/postgresql',
    'postgresql://user:p%40ss@/db?host=%2Frun%2Fpostgresql&port=5433',
    'postgres://user:p@%2Frun%2Fpostgresql/db',
    'postgres:///db?host=/run/postgresql',
  ])('takes the database %s behind a socket of this machine', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  });
});
