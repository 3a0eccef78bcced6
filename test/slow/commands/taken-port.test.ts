import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { checksNamed, runChecks } from '#cli/doctor.js';
import { commandContext } from '#test/support/run-command.js';
import { startChild } from '#test/support/child.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function callwright(words: string, environment: Readonly<Record<string, string>> = {}) {
  const settings = { DATA_DIR: join(folder, 'data'), DEMO: 'off', ...environment };
  return startChild('node', [CLI, ...words.split(' ')], { cwd: folder, environment: settings }).ended;
}

/** A port on which something answers every request with this. */
async function takenPort(answer: object): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

it('lets a start make no key that nobody is shown: the next one does', async () => {
  const PORT = await takenPort({});
  const { code, stdout, stderr } = await callwright('serve', { PORT });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`Callwright cannot start: port ${PORT} is taken. Set PORT to another one.`);
  expect((await callwright('keys list')).stdout).not.toContain('First key');
});

it('is told by the doctor, unless a Callwright that is running has it', async () => {
  const toldOf = async (answer: object) => {
    const lines: string[] = [];
    const settings = { DATA_DIR: folder, PORT: await takenPort(answer) };
    await runChecks(
      commandContext(settings, (line) => void lines.push(line)),
      checksNamed('port'),
    );
    return lines.join('\n');
  };
  expect(await toldOf({ service: 'callwright' })).toMatch(
    /^ok {5}port: a Callwright that is running has 127\.0\.0\.1:\d+$/m,
  );
  expect(await toldOf({ service: 'other' })).toMatch(/^WRONG {2}port: port \d+ is taken/m);
});
