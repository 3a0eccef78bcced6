import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookListenCommand } from '#cli/webhook-listen.js';
import { readConfig } from '#config/read-config.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const SECRET = 'a-secret-of-my-own-42';

let service: TestService;
afterEach(() => service.close());

/** Runs the command beside the test; it goes on until the test process ends. */
async function listen(options: Record<string, string>, dataDir = temporaryFolder()) {
  const lines: string[] = [];
  let tell: () => void = () => {};
  const shell = {
    config: readConfig({ DATA_DIR: dataDir }),
    folder: process.cwd(),
    clock: systemClock,
    ids: createIds(systemClock),
    log: createMemoryLog().log,
    print(line: string) {
      lines.push(line);
      tell();
    },
    remark() {},
    readLine: async () => null,
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

  it('registers itself with a running local service, which needs to be told nothing', async () => {
    service = await buildTestService({ listen: true });
    const listener = await listen({ register: service.baseUrl, key: TEST_KEY }, service.dataDir);
    const [, id] = await listener.until(/Registered as (wh_\w+)/);
    expect((await service.request('POST', `/v1/webhooks/${id!}/test`)).body).toMatchObject({
      status: 'delivered',
    });
    await listener.until(/signature good/);
  });

  it('shows the request that registers it', async () => {
    service = await buildTestService();
    const listener = await listen({});
    await listener.until(
      /curl http:\/\/localhost:8010\/v1\/webhooks -H 'x-api-key: YOUR_KEY'.*"url":"https:\/\/localhost/,
    );
  });
});
