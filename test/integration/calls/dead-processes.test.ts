import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sleep } from '#kernel/time/clock.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';
import { killFirst } from '#test/support/dead-process.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { providerIdOf, ScriptedCarrier } from '#test/support/scripted-carrier.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A process that places a call, and is to die. */
async function placed(options: { maxConcurrentCalls?: number } = {}) {
  const rig = await CallRig.open({
    databaseUrl: `sqlite:${join(temporaryFolder(), 'callwright.db')}`,
    ...options,
  });
  await rig.callService.start();
  const call = await rig.create();
  await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
  return { rig, call, line: providerIdOf(rig.carrier.placed[0]!.dialRef) };
}

const silent = () => new Promise<never>(() => {});

describe('a call whose process is dead', () => {
  it('ends though the clock was put back and its carrier cannot be asked', async () => {
    const { rig, call } = await placed();
    rig.carrier.lookUp = () => Promise.reject(new CarrierError('not_dialled', 'refused', 'no', '401'));
    await killFirst(rig);
    rig.clock.setWall(rig.clock.wallMs() - 3_600_000);
    await rig.build().start();
    await rig.pass(70_000, 1_000);
    expect((await rig.call(call.id)).ended_at).toBeNull();
    await rig.pass(20_000, 1_000);
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'server_crash' });
  });

  it('holds a slot of the process that has taken it over', async () => {
    const { rig, call, line } = await placed({ maxConcurrentCalls: 1 });
    rig.carrier.found = () => ({ found: true, providerCallId: line, status: 'ringing' });
    await killFirst(rig);
    await rig.build(1).start();
    await rig.pass(1_000);
    await rig.create({ to_phone: '+14155550199' });
    await rig.pass(5_000);
    expect((await rig.call(call.id)).status).toBe('connecting');
    expect(rig.carrier.placed).toHaveLength(1);
    await rig.carrier.report('busy', { dialRef: rig.carrier.placed[0]!.dialRef });
    await rig.until(() => rig.carrier.placed.length === 2);
  });

  it('does not keep the next process from stopping, nor is it taken over by one that stops', async () => {
    const { rig, call, line } = await placed();
    let asked = 0;
    rig.carrier.lookUp = async () => {
      asked += 1;
      await sleep(rig.clock, 9_000);
      return { found: true, providerCallId: line, status: 'ringing' };
    };
    await killFirst(rig);
    const next = rig.build();
    await next.start();
    await rig.until(() => asked === 1);
    const before = await rig.call(call.id);
    await rig.stop(next);
    expect((await rig.call(call.id)).node_id).toBe(before.node_id);
  });

  it('is hung up before the carriers are closed, where the process that has recovered it stops', async () => {
    const { rig, call } = await placed();
    const done: string[] = [];
    let answerHangUp: (() => void) | null = null;
    rig.carrier.hangUp = async () => {
      await new Promise<void>((resolve) => (answerHangUp = resolve));
      done.push('hung up');
    };
    rig.carrier.close = async () => void done.push('closed');
    await killFirst(rig);
    const next = rig.build();
    await next.start();
    await rig.until(() => answerHangUp !== null);
    const stopping = rig.stop(next);
    await rig.pass(500, 100);
    answerHangUp!();
    await stopping;
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'server_crash' });
    expect(done).toEqual(['hung up', 'closed']);
  });

  it('is hung up by the next process when its line rings on though it is over', async () => {
    const { rig, call, line } = await placed();
    // The carrier never hears of it.
    rig.carrier.hangUp = silent;
    void rig.callService.calls.disconnect(PRINCIPAL, call.id);
    await rig.reaches(call.id, 'cancelled');
    await killFirst(rig);
    const heard: string[] = [];
    rig.carrier.hangUp = async (id) => void heard.push(id);
    await rig.build().start();
    const { dialRef } = rig.carrier.placed[0]!;
    await rig.carrier.report('ringing', { dialRef });
    expect(heard).toEqual([line]);
    await rig.carrier.report('answered', { dialRef });
    expect(heard).toEqual([line, line]);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });
});

describe('requests of a dead process that nobody has answered', () => {
  it('keep nobody from settling those of another carrier, though theirs is silent', async () => {
    const rig = await CallRig.open({ databaseUrl: `sqlite:${join(temporaryFolder(), 'callwright.db')}` });
    const former = new ScriptedCarrier('former');
    rig.carriers = [former, rig.carrier];
    await rig.build().start();
    for (let n = 0; n < 48; n += 1) former.answers.push(silent);
    for (let n = 0; n < 48; n += 1) await rig.create({ to_phone: `+1415555${1_000 + n}` });
    await rig.until(() => former.placed.length === 48);
    await killFirst(rig);
    former.lookUp = silent;
    rig.carriers = [rig.carrier, former];
    rig.carrier.answers.push(() => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer')));
    await rig.build().start();
    const call = await rig.create({ to_phone: '+14155559999' });
    await rig.until(() => rig.carrier.placed.length === 1);
    const line = providerIdOf(rig.carrier.placed[0]!.dialRef);
    rig.carrier.found = () => ({ found: true, providerCallId: line, status: 'ringing' });
    await rig.pass(9_000);
    expect(await rig.call(call.id)).toMatchObject({ provider_call_id: line });
  });
});
