import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import {
  ModelEmulator,
  type ModelDialect,
  type ModelTurn,
} from '#test/support/emulators/models/model-emulator.js';
import { openAiChat } from '#test/support/emulators/models/openai-chat-emulator.js';
import { startChild } from '#test/support/child.js';
import { startService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

const MODEL_KEY = 'sk-demo';
/** What the model answers to each turn of the customer. */
const ANSWERS: readonly ModelTurn[] = [
  // In one sentence: between two, a busy machine makes a pause, and the customer answers the first.
  { text: ['Good, will ', 'you come?'] },
  { text: ['See you tomorrow.'], calls: [{ name: 'end_call', arguments: {} }] },
];

/** A model that decides by what it is told, so that a reply prepared in vain changes nothing. */
function decidingModel(): ModelDialect {
  const dialect = openAiChat(MODEL_KEY);
  return {
    ...dialect,
    eventsOf(_turn, request) {
      const messages = request.body['messages'] as { role: string }[];
      // The first message of a user stands for the customer who picks up.
      const turn = messages.filter(({ role }) => role === 'user').length - 2;
      return dialect.eventsOf(ANSWERS[Math.min(turn, ANSWERS.length - 1)]!, request);
    },
  };
}

it('the demonstration by itself is on the sandbox network, by a language model where one is configured, and leaves a recording and no link', async ({
  onTestFinished,
}) => {
  const emulator = await ModelEmulator.open(decidingModel(), systemClock);
  onTestFinished(() => emulator.close());
  const folder = temporaryFolder();
  const { code, stdout } = await startChild(process.execPath, [CLI, 'demo'], {
    cwd: folder,
    environment: {
      OPENAI_API_KEY: MODEL_KEY,
      OPENAI_BASE_URL: `${emulator.url}/v1`,
      CARRIER: 'plivo',
      PLIVO_AUTH_ID: 'MA1',
      PLIVO_AUTH_TOKEN: 'a-token-of-plivo',
      // Nobody is there.
      PLIVO_API_URL: 'http://127.0.0.1:9',
    },
  }).ended;

  expect(code).toBe(0);
  expect(stdout).toMatch(/by openai \(gpt-4\.1\).*0:00:00 {2}answered/s);
  expect(stdout).toMatch(/Is this a good time.*yes i have time.*Good, will you come/s);
  expect(stdout).toMatch(/yes i will be there.*See you tomorrow\..*agent_hangup.*Summary /s);
  expect(stdout).not.toContain(MODEL_KEY);
  const last = emulator.requests.findLast(({ path }) => path.endsWith('/chat/completions'))!;
  expect(last.text).toContain('Good, will you come?');
  // The service that would answer to it is gone with the command.
  expect(stdout).not.toContain('http:');
  const [, recordings = ''] = /The recording stays in (\S+)/.exec(stdout) ?? [];
  const files = readdirSync(recordings, { recursive: true }).map(String);
  expect(files.some((name) => name.endsWith('.wav'))).toBe(true);
});

// They wait for speech, and for little of it.
describe.concurrent('a service with the demonstration', () => {
  it('shows its call, and whoever stops it does not wait for the call', async () => {
    const folder = temporaryFolder();
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

  it('goes on when nobody reads what it prints any more', async () => {
    const service = await startService(temporaryFolder(), { DEMO: 'on' });
    await service.child.prints(/A call to/);
    service.child.process.stdout!.destroy();

    await once(async () => {
      const { body } = await service.request('GET', '/api/calls');
      expect((body as { data: { transcript: string }[] }).data[0]!.transcript).toContain('Hello Ada');
    });
    expect(await service.stop()).toBe(0);
  });

  it('serves and ends in order though its log cannot be written', async () => {
    const folder = temporaryFolder();
    const service = startChild('bash', ['-c', `exec "${process.execPath}" "${MAIN}" 2>/dev/full`], {
      cwd: folder,
      environment: { DATA_DIR: folder, PORT: '0', DEMO: 'off' },
    });
    const [, url] = await service.prints(/listening on (\S+)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    service.process.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
