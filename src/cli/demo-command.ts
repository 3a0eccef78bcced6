import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicUrlOf } from '#config/domain.js';
import { runDemo } from './demo.js';
import type { Command } from './command.js';

/**
 * The command `demo`: runs the demonstration call in a service of its own, in a new temporary folder, on a free port
 * and on the sandbox network, so that it neither needs nor changes an installation. All other settings are the
 * operator's. The folder stays, with the recording.
 */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'Places one call on the sandbox network and shows it as it is spoken.',
  operands: [],
  options: {},
  async run({ config, log, print, clock, ids }) {
    // The whole service, loaded only when this command runs.
    const { buildApp } = await import('#app/app.js');
    const dataDir = await mkdtemp(join(tmpdir(), 'callwright-demo-'));
    const apiKey = ids.secret(32).toString('base64url');
    const app = await buildApp(
      {
        ...config,
        publicUrl: publicUrlOf('localhost:0'),
        domainFollowsPort: true,
        host: '127.0.0.1',
        port: 0,
        apiKeys: [apiKey],
        makesFirstKey: false,
        carriers: [],
        usualCarrier: 'sandbox',
        dataDir,
        databaseUrl: `sqlite:${join(dataDir, 'callwright.db')}`,
        recordingsDir: join(dataDir, 'recordings'),
      },
      { log },
    );
    try {
      const { port } = await app.listen();
      await runDemo({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey,
        subscribe: (listener) => app.liveFeed.subscribe(listener),
        print,
        clock,
        // The service ends with this command.
        stays: false,
        signal: new AbortController().signal,
      });
      print(`  The recording stays in ${join(dataDir, 'recordings')}`);
      return 0;
    } finally {
      await app.close();
    }
  },
};
