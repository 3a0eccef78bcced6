import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import { ModelEmulator } from '#test/support/emulators/models/model-emulator.js';
import { openAiChat } from '#test/support/emulators/models/openai-chat-emulator.js';
import { startChild } from '#test/support/child.js';
import { startService } from '#test/support/service.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

it('the demonstration shows its call, and whoever stops it does not wait for the call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const service = startChild(process.execPath, [MAIN], {
    cwd: folder,
    environment: { DATA_DIR: folder, PORT: '0', DEMO: 'on' },
  });
  await service.prints(/answered/);

  service.process.kill('SIGINT');

  expect((await service.ended).code).toBe(0);
  // It was ended in the middle of the agent's first words, long before anybody would have hung up.
  expect(service.stdout).not.toMatch(/Customer|The call is completed/);
  expect(service.stdout).toMatch(/0:00:00 {2}answered/);
  // No model is configured, so none is named.
  expect(service.stdout).toMatch(/on the sandbox network, as it is spoken/);
  expect(service.stderr).toMatch(/stopping: live calls may go on.*"stopped"/s);
});

it('is by a language model where one is configured', async () => {
  const emulator = await ModelEmulator.open(openAiChat('sk-demo'), systemClock);
  onTestFinished(() => emulator.close());
  emulator.next(
    { turn: { text: ['Good. ', 'Will you come?'] } },
    { turn: { text: ['See you tomorrow.'], calls: [{ name: 'end_call', arguments: {} }] } },
  );
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const { code, stdout } = await startChild(process.execPath, [CLI, 'demo'], {
    cwd: folder,
    environment: { OPENAI_API_KEY: 'sk-demo', OPENAI_BASE_URL: `${emulator.url}/v1` },
  }).ended;

  expect(code).toBe(0);
  expect(stdout).toMatch(/by openai \(gpt-4\.1\).*Is this a good time.*yes i have time.*Will you come\?/s);
  expect(stdout).toMatch(/yes i will be there.*See you tomorrow\..*agent_hangup/s);
  expect(stdout).not.toContain('sk-demo');
  const [, second] = emulator.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  expect(second!.text).toContain('Good. Will you come?');
});

it('by itself is on the sandbox network, whatever carrier is set up, and leaves a recording and no link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const command = startChild(process.execPath, [CLI, 'demo'], {
    cwd: folder,
    environment: {
      CARRIER: 'plivo',
      PLIVO_AUTH_ID: 'MA1',
      PLIVO_AUTH_TOKEN: 'a-token-of-plivo',
      // Nobody is there.
      PLIVO_API_URL: 'http://127.0.0.1:9',
    },
  });
  const { code, stdout } = await command.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/0:00:00 {2}answered.*Agent .*Customer .*Summary /s);
  // The service that would answer to it is gone with the command.
  expect(stdout).not.toContain('http:');
  const [, recordings = ''] = /The recording stays in (\S+)/.exec(stdout) ?? [];
  expect(readdirSync(recordings, { recursive: true }).some((name) => String(name).endsWith('.wav'))).toBe(
    true,
  );
});

it('goes on when nobody reads what it prints any more', async () => {
  const service = await startService(mkdtempSync(join(tmpdir(), 'demonstration-')), { DEMO: 'on' });
  await service.child.prints(/A call to/);
  service.child.process.stdout!.destroy();

  await once(async () => {
    const { body } = await service.request('GET', '/api/calls');
    expect((body as { data: { transcript: string }[] }).data[0]!.transcript).toContain('Hello Ada');
  });
  expect(await service.stop()).toBe(0);
});

it('is read in one piece where the log goes to the same file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const service = startChild('bash', ['-c', `exec "${process.execPath}" "${MAIN}" 2>&1`], {
    cwd: folder,
    environment: { DATA_DIR: folder, PORT: '0', DEMO: 'on' },
  });
  await service.prints(/ Recording /);
  service.process.kill('SIGTERM');
  const { code, stdout } = await service.ended;

  expect(code).toBe(0);
  const [, talk = ''] = /A call to(.*) Recording /s.exec(stdout) ?? [];
  expect(talk).toMatch(/Agent .*Customer .*Summary /s);
  expect(talk).not.toContain('{"level"');
  expect(stdout.split(' Recording ')[1]).toMatch(/"route":"\/outbound-call".*"stopped"/s);
});

it('serves and ends in order though its log cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const service = startChild('bash', ['-c', `exec "${process.execPath}" "${MAIN}" 2>/dev/full`], {
    cwd: folder,
    environment: { DATA_DIR: folder, PORT: '0', DEMO: 'off' },
  });
  const [, url] = await service.prints(/listening on (\S+)/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  service.process.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
