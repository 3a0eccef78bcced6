import Database from 'better-sqlite3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checksNamed, runChecks } from '#cli/doctor.js';
import { commandContext } from '#test/support/run-command.js';
import { startObjectStore, storageEnvironment } from '#test/support/object-store.js';
import { openLoopbackServer } from '#test/support/loopback-server.js';
import { openCommandLine } from '#test/integration/cli/command-line.js';

let folder: string;
let callwright: ReturnType<typeof openCommandLine>['callwright'];

beforeEach(() => {
  ({ folder, callwright } = openCommandLine());
});

/** One check of the command, without the others: each run of the recogniser takes seconds. */
async function checked(name: string, environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', ...environment };
  const context = commandContext(settings, (line) => void lines.push(line));
  const code = await runChecks(context, checksNamed(name));
  return { code, stdout: lines.join('\n') };
}

describe('doctor', () => {
  it('finds everything in order, makes nothing where nothing is yet, and says so', async () => {
    const { code, stdout } = await callwright('doctor', { PORT: '0' });

    // The built-in voice and recogniser included.
    expect(stdout.match(/^ok /gm)).toHaveLength(9);
    expect(code).toBe(0);
    const data = join(folder, 'data');
    expect(stdout).toContain(`data folder: there is no ${data} yet; the first start makes it`);
    expect(stdout).toContain(
      `database: there is no database yet at ${data}/callwright.db; the first start makes it`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [{}, /^ok {5}object storage: recordings can be written, read and deleted from$/m, 0],
    [
      { S3_SECRET_ACCESS_KEY: 'another-one' },
      /^WRONG {2}object storage: .*403 \(SignatureDoesNotMatch\)$/m,
      1,
    ],
  ])('tries the object storage with %o', async (changes, told, expected) => {
    const store = await startObjectStore();
    onTestFinished(() => store.close());
    const { code, stdout } = await checked('object storage', { ...storageEnvironment(store), ...changes });

    expect(stdout).toMatch(told);
    expect(code).toBe(expected);
  });

  it('leaves a database as it is: up to date, or waiting for migrations', async () => {
    const path = join(folder, 'data', 'callwright.db');
    expect((await callwright('migrate')).code).toBe(0);
    const looked = async (look: () => Promise<{ stdout: string }>) =>
      (await look()).stdout.match(/database: (.*)/)![1];
    const left = () =>
      readdirSync(join(folder, 'data')).map((name) => [name, readFileSync(join(folder, 'data', name))]);
    const before = left();
    expect(await looked(() => checked('database'))).toBe(`${path} is up to date`);
    expect(left()).toEqual(before);

    const older = new Database(path);
    const [last, second] = older
      .prepare('select name from schema_migrations order by name desc')
      .pluck()
      .all();
    older.prepare('delete from schema_migrations where name in (?, ?)').run(last, second);
    older.close();
    const olderBytes = left();
    expect(await looked(() => callwright('doctor', { PORT: '0' }))).toBe(
      `${path}: 2 migrations wait (${String(second)}, ${String(last)}); the next start applies them`,
    );
    expect(left()).toEqual(olderBytes);
  });

  it.each([
    ['of another program', 'create table invoices (id integer)', /WRONG {2}database: .*another program/],
    [
      'of a newer release',
      `create table schema_migrations (name text, checksum text); insert into schema_migrations values ('900-new', '')`,
      /WRONG {2}database: .*newer release/,
    ],
  ])('finds a database %s wrong', async (_whose, sql, complaint) => {
    const path = join(folder, 'other.db');
    new Database(path).exec(sql).close();
    const before = readFileSync(path);
    const { code, stdout } = await checked('database', { DATABASE_URL: `sqlite:${path}` });

    expect(stdout).toMatch(complaint);
    expect(code).toBe(1);
    expect(readFileSync(path)).toEqual(before);
  });

  it.each([
    ['WEBHOOK_CA_FILE', 'empty.pem', /WRONG {2}files: WEBHOOK_CA_FILE: there is no certificate in/],
    ['SANDBOX_PERSONAS_DIR', '.', /WRONG {2}files: SANDBOX_PERSONAS_DIR: [^]*bad\.json: number/],
  ])('finds out that a start could not use what %s names', async (setting, name, complaint) => {
    writeFileSync(join(folder, 'empty.pem'), '');
    writeFileSync(join(folder, 'bad.json'), '{}');
    const { code, stdout } = await checked('files', { [setting]: join(folder, name) });

    expect(stdout).toMatch(complaint);
    expect(code).toBe(1);
  });

  it('says what is wrong, and goes on', async () => {
    const { code, stdout } = await callwright('doctor', { PORT: '0', DATA_DIR: '/dev/null/nowhere' });

    expect(stdout).toContain('WRONG  data folder: /dev/null: a file stands where a folder should be');
    expect(stdout).toContain('WRONG  database: /dev/null/nowhere/callwright.db: ');
    expect(stdout).toMatch(/^ok {5}speech:/m);
    expect(code).toBe(1);
  });

  it('asks the language models that have a key: whether it is right, they are reached, and the model is there', async () => {
    const { url } = await openLoopbackServer((request, response) => {
      const isRight = request.headers.authorization === 'Bearer right';
      response.writeHead(isRight ? 200 : 401).end(isRight ? '{"data":[{"id":"gpt-4.1"}]}' : '{}');
    });
    const asked = async (environment: Record<string, string>) => {
      const { code, stdout } = await checked('language models', { OPENAI_BASE_URL: url, ...environment });
      return [code, /language models: .*/.exec(stdout)![0]];
    };
    expect(await asked({ OPENAI_API_KEY: 'right' })).toEqual([
      0,
      'language models: openai answers (gpt-4.1)',
    ]);
    expect(await asked({ OPENAI_API_KEY: 'right', OPENAI_MODEL: 'gpt-9' })).toEqual([
      1,
      'language models: openai has no model gpt-9',
    ]);
    const [code, told] = await asked({
      OPENAI_API_KEY: 'wrong-key-4711',
      OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    expect(code).toBe(1);
    expect(told).toMatch(/openai refused.*; ollama was not reached/);
    expect(told).not.toContain('4711');
  });

  it('asks the providers of voices that have a key for their voices', async () => {
    const { url } = await openLoopbackServer((request, response) => {
      const isRight = request.headers['xi-api-key'] === 'right';
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isRight ? '{"voices":[{"voice_id":"v1","name":"Vera"}]}' : '{"detail":"invalid"}');
    });
    const asked = async (environment: Record<string, string>) => {
      const base = { ELEVENLABS_BASE_URL: `${url}/v1` };
      const { code, stdout } = await checked('voices', { ...base, ...environment });
      return [code, /voices: .*/.exec(stdout)![0]];
    };
    expect(await asked({})).toEqual([
      0,
      'voices: no setting names a provider of voices; the built-in voice speaks',
    ]);
    expect(await asked({ ELEVENLABS_API_KEY: 'right' })).toEqual([0, 'voices: elevenlabs answers']);
    const [code, told] = await asked({
      ELEVENLABS_API_KEY: 'wrong-key-4712',
      CARTESIA_API_KEY: 'any',
      CARTESIA_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(code).toBe(1);
    expect(told).toMatch(/^voices: .*elevenlabs: .*cartesia: /);
    expect(told).not.toContain('4712');
  });
});
