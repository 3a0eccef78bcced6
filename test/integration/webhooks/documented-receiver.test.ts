import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { signatureHeaders } from '#webhooks/deliveries/signature.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const SECRET = 'a-secret-of-my-own-42';

/** The receiver of docs/webhooks.md, with one line more that says when it listens. */
async function runReceiver(): Promise<string> {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const code = /# Receiving events[\s\S]*?```js\n([\s\S]*?)```/.exec(page)![1]!;
  const file = join(temporaryFolder(), 'receiver.mjs');
  writeFileSync(
    file,
    code.replace('listen(process.env.PORT)', "listen(process.env.PORT, () => console.log('up'))"),
  );
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return `http://127.0.0.1:${port}/`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it('the documented receiver accepts signed requests and refuses all others', async () => {
  const url = await runReceiver();
  const body = '{"event_type":"call.completed",  "webhook_id":"evt_1"}';
  const send = async (secret: string) => {
    const message = { id: 'evt_1', timestampSeconds: 1, body };
    const headers = signatureHeaders({ current: secret, previous: null }, message);
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  expect(await send(SECRET)).toBe(200);
  expect(await send('another-secret-of-mine')).toBe(401);
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
});
