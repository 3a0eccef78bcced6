import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDotEnv } from '#config/dot-env.js';
import { loadConfig } from '#config/read-config.js';
import { ConfigError } from '#config/setting.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('.env', () => {
  it('is read, and a variable that is really set wins', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), 'PORT=9001\nLOG_LEVEL="DEBUG" # loud\n');

    const config = loadConfig({ PORT: '9002' }, folder);

    expect(config).toMatchObject({ port: 9002, logLevel: 'DEBUG' });
  });

  it('gives way to the other name of a setting, too', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), 'Environment=local\n');

    expect(loadConfig({ ENVIRONMENT: 'production' }, folder).environment).toBe('production');
  });

  it('keeps its first setting where an editor has put a byte order mark before it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), '\uFEFFEnvironment=production\r\nPORT=9001\r\n');

    expect(loadConfig({}, folder)).toMatchObject({ environment: 'production', port: 9001 });
  });

  it('may have comments, empty lines, exports and values of many lines', () => {
    const folder = temporaryFolder();
    const key = '-----BEGIN KEY-----\nabc\n-----END KEY-----';
    const text = ['# a comment: of ours', '', '  export PORT = 9001 # loud', `KEY="${key}"`, "NAME='it is'"];
    writeFileSync(join(folder, '.env'), text.join('\n'));

    expect(withDotEnv({}, folder, [])).toEqual({ PORT: '9001', KEY: key, NAME: 'it is' });
  });

  it('is refused with lines that set nothing, by their numbers alone', () => {
    const folder = temporaryFolder();
    const text = ['PORT 8144', 'KEY="a', 'b"', 'Environment: production', '# fine', 'Environment: x=y', '=1'];
    writeFileSync(join(folder, '.env'), text.join('\r\n'));

    const says = [1, 4, 6, 7].map((line) => ({
      name: '.env',
      reason: expect.stringMatching(`^line ${line} sets`),
    }));
    expect(() => loadConfig({}, folder)).toThrow(expect.objectContaining({ problems: says }));
    expect(() => loadConfig({}, folder)).not.toThrow(/production|8144/);
  });

  it('is refused together with every other setting that is wrong, wherever it stands', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), 'SECURE_HEADERS yes\nPORT=many\n');

    const names = ['.env', 'PORT', 'LOG_LEVEL'].map((name) => expect.objectContaining({ name }));
    expect(() => loadConfig({ LOG_LEVEL: 'LOUD' }, folder)).toThrow(
      expect.objectContaining({ problems: expect.arrayContaining(names) }),
    );
  });

  it('is refused when it is no UTF-8', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), Buffer.from('\uFEFFPORT=9001\r\n', 'utf16le'));
    expect(() => loadConfig({}, folder)).toThrow(/^ {2}\.env: cannot be read: it is not written in UTF-8$/m);
  });

  it('may be missing, but not unreadable', () => {
    expect(withDotEnv({ PORT: '1' }, join(temporaryFolder(), 'no-such-folder'), [])).toEqual({ PORT: '1' });
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.env'));
    expect(() => loadConfig({}, folder)).toThrow(ConfigError);
    expect(() => loadConfig({}, folder)).toThrow(/^ {2}\.env: cannot be read: EISDIR/m);
  });
});
