import { describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';
import { SETTINGS } from '#config/settings.js';
import type { Environment, Setting } from '#config/setting.js';

/** What is said of names that nothing reads. */
function strays(environment: Environment): readonly string[] {
  return readConfig(environment).warnings.filter((warning) => warning.includes('nothing reads'));
}

describe('a variable that nothing reads', () => {
  it.each([
    ['WEBHOOK_ALOW_CIDRS', 'WEBHOOK_ALLOW_CIDRS'],
    ['Enviroment', 'Environment'],
    ['ENVIROMENT', 'ENVIRONMENT'],
    ['environment', 'Environment'],
    ['TIME_OUT', 'Timeout'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['API_KEY', 'API_KEYS'],
    ['TWILIO_AUTH_TOKNE', 'TWILIO_AUTH_TOKEN'],
  ])('is warned of where its name is close to one of ours: %s', (name, meant) => {
    expect(strays({ [name]: 'some value 4711' })).toEqual([
      `${name} is set, but nothing reads it: ${meant}?`,
    ]);
  });

  it.each(['WEBHOOK_SECRET', 'JWT_SECRET', 'SANDBOX_LATENCY', 'TWILIO_PHONE_NUMBER', 'VONAGE_NUMBER'])(
    'is warned of where its name begins as ours do: %s',
    (name) => {
      expect(strays({ [name]: 'some value 4711' })).toEqual([`${name} is set, but nothing reads it.`]);
    },
  );

  it('is another program’s business where it has nothing to do with ours', () => {
    expect(
      strays({ PATH: '/bin', HOSTNAME: 'pod-1', DATABASE: 'x', npm_config_port: '1', API_URL: 'http://x' }),
    ).toEqual([]);
  });

  it('is no mistake where Kubernetes made it for a service of such a name', () => {
    expect(
      strays({
        WEBHOOK_SERVICE_HOST: '10.0.0.1',
        WEBHOOK_SERVICE_PORT_HTTP: '80',
        WEBHOOK_PORT: 'tcp://10.0.0.1:80',
        WEBHOOK_PORT_80_TCP_ADDR: '10.0.0.1',
      }),
    ).toEqual([]);
  });

  it('is none of those that are read, and none that is empty', () => {
    const ours = Object.entries<Setting>(SETTINGS).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
    expect(strays(Object.fromEntries(ours.map((name) => [name, ' '])))).toEqual([]);
    expect(strays({ WEBHOOK_ALOW_CIDRS: '' })).toEqual([]);
  });

  it('is never shown with its value', () => {
    expect(strays({ API_KEY: 'a-key-that-nobody-may-see' }).join()).not.toContain('nobody-may-see');
  });
});
