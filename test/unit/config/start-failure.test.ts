import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startFailure } from '../../../src/start-failure.js';

/** How listening there fails. */
function listenAt(port: number, host: string): Promise<unknown> {
  const server = createServer();
  return new Promise((resolve) => server.once('error', resolve).listen(port, host));
}

it('says which port is taken, and that HOST is no address of this machine', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  expect(startFailure(await listenAt(port, '127.0.0.1'), port)).toBe(
    `port ${port} is taken. Set PORT to another one.`,
  );
  taken.close();
  expect(startFailure(await listenAt(0, '192.0.2.1'), 0)).toMatch(/HOST/);
});

it('speaks of the port only when it is about the port', async () => {
  const forbidden = { code: 'EACCES', message: 'EACCES: permission denied' };
  expect(startFailure({ ...forbidden, syscall: 'listen' }, 80)).toMatch(/^port 80 is not allowed/);
  expect(startFailure({ ...forbidden, syscall: 'mkdir' }, 80)).toBe(forbidden.message);
  const noFolder = await mkdir('/dev/null/data').catch((error: unknown) => error);
  expect(startFailure(noFolder, 80)).toMatch(/^ENOTDIR.*mkdir/);
});
