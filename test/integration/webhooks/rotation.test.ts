import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { SenderRig, WORKSPACE } from './sender-rig.js';

const EVENTS = 1_000;
const OVERLAP_SECONDS = 60;

function accepts(secret: string, body: string | Buffer, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}

it('a rotation among a thousand events makes no receiver refuse one', async () => {
  const rig = await SenderRig.open();
  // The package that verifies has no clock to hand in: it compares with the time of the machine.
  rig.clock.setWall(systemClock.wallMs() - OVERLAP_SECONDS * 1_000);
  const { id, secret: before } = await rig.register();
  await rig.happens(EVENTS * 0.4);
  await rig.run();
  const { secret } = await rig.webhooks.rotateSecret(
    { workspace: WORKSPACE, id },
    OVERLAP_SECONDS,
    () => null,
  );
  await rig.happens(EVENTS * 0.4);
  await rig.run();
  rig.clock.setWall(rig.clock.wallMs() + OVERLAP_SECONDS * 1_000);
  await rig.happens(EVENTS * 0.2);
  await rig.run();

  const after = secret!;
  expect(rig.sent).toHaveLength(EVENTS);
  for (const [index, { body, headers }] of rig.sent.entries()) {
    const phase = index < EVENTS * 0.4 ? 'before' : index < EVENTS * 0.8 ? 'overlap' : 'after';
    const own = headers['x-service-signature']!;
    // x-service-signature holds one signature: it stays with the old secret until the overlap ends.
    const verdicts = [before, after].map((one) => [accepts(one, body, headers), verifyBody(one, body, own)]);
    const rules = { before: [true, true, false, false], overlap: [true, true, true, false] };
    expect(verdicts.flat(), `${index}`).toEqual(
      phase === 'after' ? [false, false, true, true] : rules[phase],
    );
  }
});
