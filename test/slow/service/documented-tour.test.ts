import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startChild } from '#test/support/child.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEY = 'the-key-of-the-documented-tour';

/** Every command of a page, in its order. */
function commandsOf(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)].map(
    (match) => match[1]!,
  );
}

it('the commands of the README and the tour work to the letter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tour-'));
  const blocks = [...commandsOf('README.md'), ...commandsOf('docs/tour.md')];
  expect(blocks.length).toBeGreaterThan(10);
  const service = startChild('node', [join(ROOT, 'dist/main.js')], {
    cwd: folder,
    environment: { PORT: '0', DATA_DIR: folder, DEMO: 'off', API_KEYS: KEY, LOG_LEVEL: 'WARNING' },
  });
  onTestFinished(() => void service.process.kill('SIGKILL'));
  const [, url] = await service.prints(/listening on (http:\S+)/);

  const script = ['set -euo pipefail', ...blocks].join('\necho\n');
  const tour = await startChild('bash', ['-c', script], { cwd: folder, environment: { URL: url!, KEY } })
    .ended;

  expect(tour.stderr).toBe('');
  expect(tour.code).toBe(0);
  expect(tour.stdout).toContain('"status":"healthy"');
  expect(tour.stdout).toMatch(/^Agent: Hello Ada, /m);
  expect(tour.stdout).toMatch(/^Customer: yes/m);
  expect(tour.stdout).toContain('"intent":"confirm_appointment"');
  expect(tour.stdout).toMatch(/"stt_ms":[1-9]/);
  expect(tour.stdout).toContain('"object":"list"');
  expect(tour.stdout).toContain('"callable_numbers":5,');
  for (const row of [
    '001,Ada,completed,,',
    '019,Jordan,failed,voicemail,',
    '005,,failed,busy,',
    '009,,completed,,',
  ])
    expect(tour.stdout).toContain(`,+15550100${row}`);
  expect(statSync(join(folder, 'call.wav')).size).toBeGreaterThan(100_000);
  service.process.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
