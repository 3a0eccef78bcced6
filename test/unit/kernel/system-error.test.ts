import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describeSystemError } from '#kernel/errors/system-error.js';

/** How listening there fails. */
function listenAt(port: number, host: string): Promise<unknown> {
  const server = createServer();
  return new Promise((resolve) => server.once('error', resolve).listen(port, host));
}

it('names the port that is taken, and a HOST that is no address of this machine', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const failure = await listenAt(port, '127.0.0.1');
  expect(describeSystemError(failure)).toBe(`port ${port} is taken. Set PORT to another one.`);
  expect(describeSystemError(failure, '--port')).toBe(`port ${port} is taken. Set --port to another one.`);
  taken.close();
  expect(describeSystemError(await listenAt(0, '192.0.2.1'))).toMatch(
    /Set HOST to an address of this machine\.$/,
  );
  const unknownName = { code: 'ENOTFOUND', syscall: 'getaddrinfo', message: 'getaddrinfo ENOTFOUND nowhere' };
  expect(describeSystemError(unknownName)).toBe(
    `${unknownName.message}. Set HOST to an address of this machine.`,
  );
});

it('names the port in errors of the port, and the file in errors of a file', async () => {
  const forbidden = { code: 'EACCES', message: 'EACCES: permission denied', port: 80 };
  expect(describeSystemError({ ...forbidden, syscall: 'listen' })).toMatch(/^port 80 is not allowed/);
  expect(describeSystemError({ ...forbidden, syscall: 'mkdir', path: '/data' })).toBe(
    '/data: this user has no permission',
  );
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  expect(describeSystemError(await failureOf(mkdir('/dev/null/data')))).toBe(
    '/dev/null/data: a file stands where a folder should be',
  );
  expect(describeSystemError(await failureOf(writeFile('/', 'x')))).toBe('/: it is a folder');
});

it('keeps the message of any other error', () => {
  expect(describeSystemError(new Error('the database is damaged'))).toBe('the database is damaged');
});
