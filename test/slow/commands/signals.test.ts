import { expect, it, type TestContext } from 'vitest';
import { once } from '#test/support/call-story.js';
import { startService, type Service } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A service with a call that would go on for longer than a test. */
async function withLiveCall(
  { onTestFinished }: TestContext,
  drainSeconds: number,
): Promise<{ service: Service; call: string }> {
  const folder = temporaryFolder();
  const service = await startService(folder, { DRAIN_TIMEOUT_SECONDS: String(drainSeconds) });
  onTestFinished(() => service.kill());
  const made = await service.request('POST', '/outbound-call', { to_number: '+15550100003' });
  const { id: call } = made.body as { id: string };
  await once(async () => {
    const { body } = await service.request('GET', `/api/calls/${call}`);
    expect(body).toMatchObject({ status: expect.stringMatching(/connected|active|in_progress/) });
  });
  return { service, call };
}

it.concurrent('takes signals that come together for one wish, and ends in order', async (context) => {
  const { service } = await withLiveCall(context, 1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) service.child.process.kill(signal);

  const { code, stderr } = await service.child.ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/stopping: live calls may go on.*"stopped"/s);
});

it.concurrent('ends in order when its terminal is closed', async (context) => {
  const { service } = await withLiveCall(context, 0);
  service.child.process.kill('SIGHUP');

  expect((await service.child.ended).code).toBe(0);
});

it.concurrent('ends at once when it is asked again later', async (context) => {
  const { service } = await withLiveCall(context, 600);
  let isOver = false;
  void service.child.ended.then(() => (isOver = true));
  service.child.process.kill('SIGTERM');
  await once(async () => {
    service.child.process.kill('SIGTERM');
    expect(isOver).toBe(true);
  });

  expect((await service.child.ended).code).toBe(1);
});
