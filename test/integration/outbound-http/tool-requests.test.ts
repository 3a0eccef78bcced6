import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRequestSender } from '#dialogue/tools/fetch-tool-request.js';
import type { SendToolRequest, ToolRequest } from '#dialogue/tools/tool-http.js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { openLoopbackServer } from '#test/support/loopback-server.js';

const MEGABYTE = 1024 * 1024;

/** What sends requests of tools, as the service puts it together. @param allowed networks beside the public ones */
function sender(allowed: readonly string[] = ['127.0.0.0/8'], clock: Clock = systemClock): SendToolRequest {
  const guard = createSsrfGuard({
    allowed: new AllowedAddresses(allowed),
    resolve: async (name) => [name],
  });
  const pool = openHttpPool({ clock: systemClock, guard });
  onTestFinished(() => pool.close());
  return createToolRequestSender(createFetch({ pool }), clock);
}

function requestTo(url: string, changes: Partial<ToolRequest> = {}): ToolRequest {
  return {
    method: 'POST',
    url,
    headers: { 'x-a': 'b' },
    body: '{"day":"Tuesday"}',
    timeoutMs: 5_000,
    ...changes,
  };
}

describe('the request of a tool', () => {
  it('is sent unchanged, and its response read whole', async () => {
    const { url } = await openLoopbackServer(async (request, response) => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      response.writeHead(409).end(`${request.method} ${String(request.headers['x-a'])} ${body}\0é`);
    });
    expect(await sender()(requestTo(url))).toEqual({ status: 409, body: 'POST b {"day":"Tuesday"}é' });
  });

  it('follows no redirect', async () => {
    const paths: string[] = [];
    const { url } = await openLoopbackServer((request, response) => {
      paths.push(request.url!);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await sender()(requestTo(url))).toMatchObject({ status: 302 });
    expect(paths).toEqual(['/']);
  });

  it('does not reach private addresses', async () => {
    const { url, sockets } = await openLoopbackServer((_, response) => response.end());
    await expect(sender([])(requestTo(url))).rejects.toMatchObject({ reason: 'blocked', hadAnswer: false });
    expect(sockets).toEqual([]);
  });

  it('fails at its deadline, even with a part of the response', async () => {
    const clock = new FakeClock();
    let begun!: () => void;
    const answering = new Promise<void>((resolve) => (begun = resolve));
    const { url } = await openLoopbackServer((_, response) => {
      response.writeHead(200).write('half');
      begun();
    });
    const asked = sender(undefined, clock)(requestTo(url)).catch((error: unknown) => error);
    await answering;
    await clock.advance(5_000);
    expect(await asked).toMatchObject({ name: 'ToolHttpError', reason: 'timeout' });
    expect(clock.armed).toBe(0);
  });

  it('fails when the response breaks off, and says that it may have had an effect', async () => {
    const { url } = await openLoopbackServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    await expect(sender()(requestTo(url))).rejects.toMatchObject({ reason: 'cut', hadAnswer: true });
  });

  it('fails without a listening server, and says that it was not sent', async () => {
    const gone = await openLoopbackServer((request) => request.socket.destroy());
    await expect(sender()(requestTo(gone.url))).rejects.toMatchObject({
      reason: 'unreachable',
      hadAnswer: false,
    });
  });

  it('reads no more than a megabyte', async () => {
    const { url } = await openLoopbackServer((_, response) => response.end(Buffer.alloc(MEGABYTE + 1, 'x')));
    await expect(sender()(requestTo(url))).rejects.toMatchObject({ reason: 'too_large' });
  });
});
