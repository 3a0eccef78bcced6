import { expect, it } from 'vitest';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { settle } from '#test/support/fake-clock.js';

/** A session that has ended when the test says so. */
function sessionOf(callId: string) {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return { session: { callId, finished, end() {} } as unknown as LiveSession, finish: () => finish() };
}

it('the end of all sessions waits for those that begin meanwhile, too', async () => {
  const sessions = new LiveSessions();
  const [first, second] = [sessionOf('call_1'), sessionOf('call_2')];
  sessions.add(first.session);
  let haveEnded = false;
  const ending = sessions.endAll('server_shutdown').then(() => (haveEnded = true));
  sessions.add(second.session);
  first.finish();
  await settle();
  expect(haveEnded).toBe(false);
  second.finish();
  await ending;
  expect(sessions.count).toBe(0);
});
