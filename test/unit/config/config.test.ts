import { describe, expect, it } from 'vitest';
import { publicUrlOf } from '#config/domain.js';
import { readConfig } from '#config/read-config.js';
import { ConfigError, type Environment, type Setting } from '#config/setting.js';
import { SETTINGS } from '#config/settings.js';

/** The wrong settings that an environment is refused for. */
function refusalOf(environment: Environment): ConfigError {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the environment was accepted');
}

function wrongNames(environment: Environment): string[] {
  return refusalOf(environment).problems.map((problem) => problem.name);
}

describe('the configuration', () => {
  it('has the defaults of the interface when nothing is set', () => {
    const config = readConfig({});

    expect(config).toMatchObject({
      port: 8010,
      environment: 'local',
      logLevel: 'INFO',
      corsOrigins: ['*'],
      publicUrl: 'http://localhost:8010',
      webhookTimeoutSeconds: 10,
      servesDocs: true,
      demo: true,
    });
  });

  it('names every wrong setting at once', () => {
    const environment = {
      PORT: 'http',
      LOG_LEVEL: 'LOUD',
      SECURE_HEADERS: 'maybe',
      DEFAULT_TIMEZONE: 'Mars/Olympus',
      WEBHOOK_CA_FILE: '/nowhere/ca.pem',
      SANDBOX_PERSONAS_DIR: '/nowhere',
    };

    const error = refusalOf(environment);

    expect(error.problems.map((problem) => problem.name).sort()).toEqual(Object.keys(environment).sort());
    expect(error.message).toMatch(/^6 settings are wrong:/);
    expect(error.message).toContain('  PORT: must be a whole number from 0 to 65535; it is "http"');
  });

  it('never repeats the value of a secret', () => {
    const hidden = {
      API_KEYS: 'short-one',
      METRICS_TOKEN: 'tiny-token',
      DATABASE_URL: 'mysql://root:hunter2@db',
      JWT_JWKS_URL: 'https://root:hunter2@the identity provider/keys',
    };

    const { message, problems } = refusalOf(hidden);

    expect(problems).toHaveLength(4);
    for (const value of Object.values(hidden)) expect(message).not.toContain(value);
  });

  it('is frozen through and through', () => {
    const config = readConfig({ API_KEYS: 'a-key-of-sixteen-or-more' });

    expect(() => config.apiKeys.push('another')).toThrow(TypeError);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });

  it('takes a variable that is empty as not set', () => {
    expect(readConfig({ PORT: '', LOG_LEVEL: '  ', API_KEYS: '' })).toEqual(readConfig({}));
  });

  it('follows the port when no domain is set', () => {
    expect(readConfig({ PORT: '9000' })).toMatchObject({
      publicUrl: 'http://localhost:9000',
      domainFollowsPort: true,
    });
  });
});

describe('names and spellings', () => {
  it.each(['production', 'Production', 'PRODUCTION'])('reads Environment=%s in any case', (Environment) => {
    expect(readConfig({ Environment }).environment).toBe('production');
  });

  it('prefers the exact name to its other spelling', () => {
    expect(readConfig({ ENVIRONMENT: 'production' }).environment).toBe('production');
    expect(readConfig({ Environment: 'local', ENVIRONMENT: 'production' }).environment).toBe('local');
    expect(readConfig({ TIMEOUT: '7' }).webhookTimeoutSeconds).toBe(7);
    expect(readConfig({ Timeout: '5', TIMEOUT: '7' }).webhookTimeoutSeconds).toBe(5);
  });

  it('warns of the other spelling where it says something else', () => {
    const { warnings } = readConfig({ Environment: 'local', ENVIRONMENT: 'production', TIMEOUT: '7' });

    expect(warnings).toEqual([
      'ENVIRONMENT is set, but not what counts: Environment is set to something else.',
    ]);
    expect(readConfig({ Environment: 'local', ENVIRONMENT: ' local', TIMEOUT: '' }).warnings).toEqual([]);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['ON', true],
    ['yes', true],
    ['false', false],
    ['0', false],
    ['off', false],
    ['No', false],
  ])('reads the flag %s as %s', (word, value) => {
    expect(readConfig({ SECURE_HEADERS: word }).secureHeaders).toBe(value);
  });

  it.each(['flase', '2', 'enabled', 'null'])('refuses %s as a flag', (word) => {
    expect(wrongNames({ SECURE_HEADERS: word })).toEqual(['SECURE_HEADERS']);
  });

  it.each(['-1', '65536', '80.5', '0x50', '1e3', '٣'])('refuses the port %s', (PORT) => {
    expect(wrongNames({ PORT })).toEqual(['PORT']);
  });

  it('reads lists, without repetitions and blanks', () => {
    const config = readConfig({
      CORS_ORIGINS: 'HTTPS://A.example:443, http://localhost:3000,',
      API_KEYS: 'first-key-of-the-service , second-key-of-the-service,first-key-of-the-service',
    });

    expect(config.corsOrigins).toEqual(['https://a.example', 'http://localhost:3000']);
    expect(config.apiKeys).toEqual(['first-key-of-the-service', 'second-key-of-the-service']);
  });

  it.each(['fifteen-letters', 'has a space inside it', 'grüße-von-weit-her'])(
    'refuses the API key %j',
    (API_KEYS) => {
      expect(wrongNames({ API_KEYS })).toEqual(['API_KEYS']);
    },
  );

  it.each([
    ['off', false],
    ['0', false],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('reads the proxies %s', (TRUST_PROXY, value) => {
    expect(readConfig({ TRUST_PROXY }).trustProxy).toEqual(value);
  });

  it('does not believe whoever comes: TRUST_PROXY=true is no answer', () => {
    expect(wrongNames({ TRUST_PROXY: 'true' })).toEqual(['TRUST_PROXY']);
  });

  it.each(['10.0.0.0/33', '::1/129', '10/8', '10.1/16'])('refuses the network %s', (network) => {
    const named = { TRUST_PROXY: network, WEBHOOK_ALLOW_CIDRS: network };
    expect(wrongNames(named).sort()).toEqual(['TRUST_PROXY', 'WEBHOOK_ALLOW_CIDRS']);
  });
});

describe('addresses', () => {
  it.each(['localhost', 'localhost:8010', '127.0.0.1:9', '[::1]:9'])(
    '%s is this machine: in clear',
    (domain) => {
      expect(publicUrlOf(domain)).toBe(`http://${domain}`);
    },
  );

  it.each(['voice.example.com', 'localhost.example.com', '127.0.0.1.example.com'])(
    '%s is reached encrypted',
    (domain) => {
      expect(publicUrlOf(domain)).toBe(`https://${domain}`);
    },
  );

  it.each(['https://voice.example.com', 'voice.example.com/path', 'a b', 'user@host', 'host:99999'])(
    'refuses the domain %j',
    (SERVER_DOMAIN) => {
      expect(wrongNames({ SERVER_DOMAIN })).toEqual(['SERVER_DOMAIN']);
    },
  );
});

describe('the database', () => {
  it('is a file in the data folder unless told otherwise', () => {
    expect(readConfig({ DATA_DIR: '/srv/voice' }).databaseUrl).toBe('sqlite:/srv/voice/callwright.db');
    expect(readConfig({ DATABASE_URL: 'sqlite:///tmp/x.db' }).databaseUrl).toBe('sqlite:/tmp/x.db');
    expect(readConfig({ DATABASE_URL: 'postgres://u:p@h/d' }).databaseUrl).toBe('postgres://u:p@h/d');
  });
});

describe('settings that belong together', () => {
  it('lets a first key be made only where no other credential is set', () => {
    expect(readConfig({}).makesFirstKey).toBe(true);
    expect(readConfig({ API_KEYS: 'a-key-of-sixteen-or-more' }).makesFirstKey).toBe(false);
    expect(readConfig({ Environment: 'production' }).makesFirstKey).toBe(false);
  });

  it('asks for all three of a token issuer', () => {
    expect(wrongNames({ JWT_ISSUER: 'https://id.example.com/' })).toEqual(['JWT_JWKS_URL', 'JWT_AUDIENCE']);
  });

  it('reads a complete issuer', () => {
    const config = readConfig({
      JWT_JWKS_URL: 'https://id.example.com/keys',
      JWT_ISSUER: 'https://id.example.com/',
      JWT_AUDIENCE: 'voice',
    });

    expect(config.jwt).toEqual({
      jwksUrl: 'https://id.example.com/keys',
      issuer: 'https://id.example.com/',
      audience: 'voice',
      workspaceClaim: 'workspace',
    });
  });

  it('shows no demonstration through a real carrier: it would be charged for', () => {
    const carrier = { CARRIER: 'plivo', PLIVO_AUTH_ID: 'MA1', PLIVO_AUTH_TOKEN: 'a-token-of-plivo' };
    expect(readConfig(carrier).demo).toBe(false);
    expect(readConfig({ ...carrier, CARRIER: 'sandbox' }).demo).toBe(true);
    expect(wrongNames({ ...carrier, DEMO: 'on' })).toEqual(['DEMO']);
  });
});

describe('production', () => {
  const production = {
    Environment: 'production',
    SERVER_DOMAIN: 'voice.example.com',
    API_KEYS: 'a-key-of-sixteen-or-more',
  };

  it('listens to the world, shows no documentation, runs no demo, makes no key', () => {
    const config = readConfig(production);

    expect(config).toMatchObject({
      host: '0.0.0.0',
      servesDocs: false,
      demo: false,
      makesFirstKey: false,
    });
    expect(config.warnings).toEqual([
      'CARRIER is sandbox: outbound calls are simulated, and no telephone rings.',
    ]);
  });

  it('refuses what would open it', () => {
    const unsafe = {
      ...production,
      TELEPHONY_ALLOW_UNSIGNED: 'true',
      DEMO: 'on',
      JWT_JWKS_URL: 'http://id.example.com/keys',
      JWT_ISSUER: 'https://id.example.com/',
      JWT_AUDIENCE: 'voice',
    };

    expect(wrongNames(unsafe)).toEqual(['DEMO', 'TELEPHONY_ALLOW_UNSIGNED', 'JWT_JWKS_URL']);
    expect(() => readConfig({ ...unsafe, Environment: 'local' })).not.toThrow();
  });

  it('says what will not work, but starts with the defaults of the interface', () => {
    const { warnings } = readConfig({ Environment: 'production' });

    expect(warnings.join('\n')).toContain('SERVER_DOMAIN');
    expect(warnings.join('\n')).toContain('API_KEYS');
  });

  it('says that calls through a carrier go out with a number that is not there', () => {
    const carrier = { CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token' };
    expect(readConfig(carrier).warnings.join('\n')).toContain('DEFAULT_FROM_NUMBER');
    expect(readConfig({ ...carrier, DEFAULT_FROM_NUMBER: '+14155550100' }).warnings).toEqual([]);
    expect(readConfig({}).warnings).toEqual([]);
  });
});

describe('the table of settings', () => {
  it.each(Object.entries<Setting>(SETTINGS))(
    '%s has a readable fallback and says what it means',
    (_name, setting) => {
      expect(setting.docs).toMatch(/^[A-Za-z].*\.$/);
      if (setting.fallback !== null) expect(setting.schema.safeParse(setting.fallback).success).toBe(true);
    },
  );
});
