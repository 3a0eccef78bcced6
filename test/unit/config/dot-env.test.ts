import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, withDotEnv } from '../../../src/config/read-config.js';
import { ConfigError } from '../../../src/config/setting.js';

describe('.env', () => {
  it('is read, and a variable that is really set wins', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
    writeFileSync(join(folder, '.env'), 'PORT=9001\nLOG_LEVEL="DEBUG" # loud\n');

    const config = readConfig(withDotEnv({ PORT: '9002' }, folder));

    expect(config).toMatchObject({ port: 9002, logLevel: 'DEBUG' });
  });

  it('gives way to the other name of a setting, too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
    writeFileSync(join(folder, '.env'), 'Environment=local\n');

    expect(readConfig(withDotEnv({ ENVIRONMENT: 'production' }, folder)).environment).toBe('production');
  });

  it('keeps its first setting where an editor has put a byte order mark before it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
    writeFileSync(join(folder, '.env'), '\uFEFFEnvironment=production\r\nPORT=9001\r\n');

    expect(readConfig(withDotEnv({}, folder))).toMatchObject({ environment: 'production', port: 9001 });
  });

  it('may be missing, but not unreadable', () => {
    expect(withDotEnv({ PORT: '1' }, join(tmpdir(), 'no-such-folder'))).toEqual({ PORT: '1' });
    const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
    mkdirSync(join(folder, '.env'));
    expect(() => withDotEnv({}, folder)).toThrow(ConfigError);
    expect(() => withDotEnv({}, folder)).toThrow(/^ {2}\.env: cannot be read: EISDIR/m);
  });
});
