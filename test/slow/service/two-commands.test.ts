import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChild, type Child } from '#test/support/child.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CLONED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tools',
  'src',
  'console',
  'migrations',
  'assets',
];

let clone: string;

// A clone whose packages are there already: installing them is what the machine of the tests has just proved.
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  for (const path of CLONED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

function npmStart(environment: Readonly<Record<string, string>> = {}): Child {
  return startChild('npm', ['start'], {
    cwd: clone,
    environment: { PORT: '0', DATA_DIR: join(clone, 'data'), LOG_LEVEL: 'WARNING', ...environment },
  });
}

async function stop(child: Child): Promise<number | string | null> {
  child.process.kill('SIGTERM');
  return (await child.ended).code;
}

/** Every command of a page, in its order. */
function commandsOf(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)].map(
    (match) => match[1]!,
  );
}

describe('npm start', () => {
  it('sets up a clone once, however many commands are started at once', async () => {
    const commands = [1, 2, 3].map(() => startChild('node', ['tools/setup.mjs'], { cwd: clone }).ended);

    for (const { code, stderr } of await Promise.all(commands)) {
      expect(stderr.replace(/^Waiting for another command.*\n/, '')).toBe('');
      expect(code).toBe(0);
    }
    expect(statSync(join(clone, 'dist/main.js')).size).toBeGreaterThan(0);
  });

  // Their calls are spoken at the pace of speech, so both run at the same time.
  describe('of a clone that is set up', () => {
    it.concurrent(
      'prints a first key, speaks a call before your eyes, apart from the log beside it, and stops in order',
      async () => {
        const service = startChild('bash', ['-c', 'exec npm start 2>&1'], {
          cwd: clone,
          environment: { PORT: '0', DATA_DIR: join(clone, 'data') },
        });

        const [, url] = await service.prints(/listening on (http:\/\/localhost:\d+)/);
        const [, key] = await service.prints(/API key +(cw_live_\S+)/);
        const me = await fetch(`${url}/v1/me`, { headers: { 'x-api-key': key! } });
        expect(me.status).toBe(200);

        await service.prints(/\d:\d\d:\d\d {2}Agent +\S/);
        await service.prints(/\d:\d\d:\d\d {2}Customer +yes/);
        expect(service.stdout).not.toContain('The call is');
        await service.prints(/The call is completed \((agent|customer)_hangup\) after \d+ s\./);
        await service.prints(/Summary +\S.*confirmed/);
        const [, recordingUrl] = await service.prints(/Recording +(http\S+)/);

        const recording = await fetch(recordingUrl!);
        expect(recording.headers.get('content-type')).toBe('audio/wav');
        expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
        expect(await stop(service)).toBe(0);
        const [, talk = ''] = /A call to(.*) Recording /s.exec(service.stdout) ?? [];
        expect(talk).toMatch(/Agent .*Customer .*Summary /s);
        // A warning, as of a machine that stood still, is shown at once, with all that came before it.
        if (!talk.includes('{"level":"warn"')) expect(talk).not.toContain('{"level"');
        expect(service.stdout.split('A call to')[1]).toMatch(/"route":"\/outbound-call".*"stopped"/s);
      },
    );

    it.concurrent(
      'makes the commands of the README and the tour work to the letter',
      async ({ onTestFinished }) => {
        const folder = temporaryFolder();
        const blocks = [...commandsOf('README.md'), ...commandsOf('docs/tour.md')];
        expect(blocks.length).toBeGreaterThan(10);
        const service = npmStart({ DEMO: 'off', DATA_DIR: folder });
        onTestFinished(() => void service.process.kill('SIGTERM'));
        const [, url] = await service.prints(/listening on (http:\S+)/);
        const [, key] = await service.prints(/API key +(cw_live_\S+)/);

        const script = ['set -euo pipefail', ...blocks].join('\necho\n');
        const environment = { URL: url!, KEY: key! };
        const tour = await startChild('bash', ['-c', script], { cwd: folder, environment }).ended;

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
        expect(await stop(service)).toBe(0);
      },
    );
  });

  describe('of a clone that has run', () => {
    it.concurrent(
      'starts again at once: builds nothing, shows no key again, and a second one says that the port is taken',
      async () => {
        const builtMs = statSync(join(clone, 'dist/.fingerprint')).mtimeMs;
        const service = npmStart({ DEMO: 'off' });

        await service.prints(/listening on/);

        expect(service.stdout).not.toContain('cw_live_');
        expect(statSync(join(clone, 'dist/.fingerprint')).mtimeMs).toBe(builtMs);

        const [, port] = await service.prints(/localhost:(\d+)/);
        const second = await npmStart({ DEMO: 'off', PORT: port!, DATA_DIR: join(clone, 'other') }).ended;
        expect(second.code).toBe(1);
        expect(second.stderr).toContain(`port ${port} is taken`);
        expect(await stop(service)).toBe(0);
      },
    );

    it.concurrent('names every wrong setting, and does not start', async () => {
      const { code, stderr } = await npmStart({ PORT: 'eight', SECURE_HEADERS: 'perhaps' }).ended;

      expect(code).toBe(1);
      expect(stderr).toContain('2 settings are wrong:');
      expect(stderr).toContain('PORT:');
      expect(stderr).toContain('SECURE_HEADERS:');
    });

    it.concurrent('in production shows no documentation, makes no key, and logs in JSON only', async () => {
      const own = { DATA_DIR: join(clone, 'production') };
      const service = npmStart({ Environment: 'production', LOG_LEVEL: 'INFO', HOST: '127.0.0.1', ...own });
      const [, port] = await service.prints(/"port":(\d+)/);

      for (const path of ['/docs', '/redoc', '/openapi.json']) {
        expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
      }
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      expect(await stop(service)).toBe(0);
      const lines = service.stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(service.stdout).not.toContain('cw_live_');
      expect(lines.map((line) => JSON.parse(line).msg)).toContain('stopped');
    });
  });
});
