import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookListenCommand } from '#cli/webhook-listen.js';
import { readConfig } from '#config/read-config.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const SECRET = 'a-secret-of-my-own-42';

let service: TestService;
afterEach(() => service.close());

/** Runs the command beside the test; it goes on until the test process ends. */
async function listen(options: Record<string, string>) {
  const lines: string[] = [];
  let tell: () => void = () => {};
  const shell = {
    config: readConfig({ DATA_DIR: temporaryFolder() }),
    folder: process.cwd(),
    clock: systemClock,
    ids: createIds(systemClock),
    log: createMemoryLog().log,
    print(line: string) {
      lines.push(line);
      tell();
    },
    remark() {},
  };
  void webhookListenCommand.run(shell, { options: { port: '0', ...options }, operands: [] });
  const until = async (pattern: RegExp) => {
    for (;;) {
      const match = pattern.exec(lines.join('\n'));
      if (match) return match;
      await new Promise<void>((resolve) => (tell = resolve));
    }
  };
  const [, url] = await until(/(https:\/\/\S+)/);
  const [, caFile] = await until(/WEBHOOK_CA_FILE=(\S+)/);
  return { url: url!, caFile: caFile!, until };
}

describe('callwright webhook listen', () => {
  it('prints requests, and checks their signatures', async () => {
    const listener = await listen({ secret: SECRET });
    expect(readFileSync(listener.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
    service = await buildTestService({ environment: { WEBHOOK_CA_FILE: listener.caFile } });
    const send = async (secret: string) => {
      const made = await service.request('POST', '/v1/webhooks', { url: listener.url, secret });
      const { id } = made.body as { id: string };
      return (await service.request('POST', `/v1/webhooks/${id}/test`)).body;
    };

    expect(await send(SECRET)).toMatchObject({ status: 'delivered', status_code: 200 });
    await listener.until(
      /call\.completed {2}evt_\w{26} {2}signature good\n\{\n {2}"event_type": "call.completed"/,
    );
    expect(await send('another-secret-of-mine')).toMatchObject({ status: 'failed', status_code: 401 });
    await listener.until(/SIGNATURE WRONG/);
  });
});
