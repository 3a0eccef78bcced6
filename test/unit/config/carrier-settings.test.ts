import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';
import { ConfigError, type Environment } from '#config/setting.js';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const PEM = RSA.export({ type: 'pkcs8', format: 'pem' }).toString();
const VONAGE: Environment = {
  VONAGE_APPLICATION_ID: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
  VONAGE_SIGNATURE_SECRET: 'a-signature-secret',
  VONAGE_PRIVATE_KEY: PEM,
};

/** The wrong settings that an environment is refused for, and all that is said of them. */
function refusalOf(environment: Environment): { names: string[]; said: string } {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { names: error.problems.map(({ name }) => name), said: JSON.stringify(error.problems) };
  }
  throw new Error('the environment was accepted');
}

describe('the settings of a carrier', () => {
  it('are asked for when one of those is set that it cannot be used without', () => {
    const { names } = refusalOf({ VONAGE_APPLICATION_ID: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab' });
    expect(names).toEqual(['VONAGE_PRIVATE_KEY', 'VONAGE_SIGNATURE_SECRET']);
    expect(readConfig({ VONAGE_CALLS_PER_SECOND: '5' }).carriers).toEqual([]);
    expect(refusalOf({ CARRIER: 'vonage' }).names).toEqual(['CARRIER']);
  });

  it('have what usually holds where they say nothing', () => {
    const [carrier] = readConfig({ ...VONAGE, VONAGE_API_URL: 'https://api-eu.vonage.com/' }).carriers;
    expect(carrier).toEqual({
      name: 'vonage',
      settings: {
        APPLICATION_ID: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab',
        PRIVATE_KEY: PEM.trim(),
        API_KEY: null,
        SIGNATURE_SECRET: 'a-signature-secret',
        API_URL: 'https://api-eu.vonage.com',
        CALLS_PER_SECOND: '3',
        MACHINE_DETECTION: 'on',
      },
    });
  });

  it('take a private key of several lines, or of one', () => {
    const ofOneLine = { ...VONAGE, VONAGE_PRIVATE_KEY: PEM.trim().replaceAll('\n', '\\n') };
    expect(readConfig(ofOneLine).carriers).toEqual(readConfig(VONAGE).carriers);
  });

  it.each([
    ['no key', 'a-key-that-is-none'],
    ['half a key', PEM.slice(0, 400)],
    ['a public key', PEM.replaceAll('PRIVATE', 'PUBLIC')],
    [
      'a key of another kind',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
  ])('refuse %s for a private key, and do not repeat it', (_what, VONAGE_PRIVATE_KEY) => {
    const { names, said } = refusalOf({ ...VONAGE, VONAGE_PRIVATE_KEY });
    expect(names).toEqual(['VONAGE_PRIVATE_KEY']);
    expect(said).not.toContain(VONAGE_PRIVATE_KEY.slice(40, 80) || VONAGE_PRIVATE_KEY);
  });
});
