import { beforeEach, describe, expect, it } from 'vitest';
import type { CallService } from '#calls/call-service.js';
import { nodeTransactions } from '#calls/watch/node-store.js';
import { actionTransactions } from '#calls/live/actions/action-store.js';
import type { CallRow } from '#calls/record/call.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { PRINCIPAL } from '#test/support/principal.js';

const WARM = { to: '+14155550155', briefing: 'Ada is here.', ringSeconds: 20, stay: true };

describe.each(engines)('what is done in a live call from another process, on %s', (engine) => {
  let rig: CallRig;
  let other: CallService;
  let call: CallRow;
  beforeEach(async () => {
    rig = await CallRig.started(await databaseOn(engine));
    other = rig.build();
    await other.start();
    // With SQLite, a process that begins is the only one until the heart of the other beats again.
    await rig.pass(5_000);
    call = await rig.talking();
  });

  const logged = async () =>
    (await rig.callService.calls.events(PRINCIPAL, call.id))
      .filter(({ type }) => type === 'steered')
      .map(({ data }) => data);

  const acts: Record<string, [(id: string) => Promise<unknown>, unknown[]]> = {
    say: [(id) => other.steering.say(PRINCIPAL, id, { text: 'Hi.', interrupt: true }), ['say', 'Hi.', true]],
    context: [(id) => other.steering.context(PRINCIPAL, id, 'They paid.'), ['advise', 'They paid.']],
    mute: [(id) => other.steering.mute(PRINCIPAL, id), ['mute']],
    unmute: [(id) => other.steering.unmute(PRINCIPAL, id), ['unmute']],
    hold: [(id) => other.steering.hold(PRINCIPAL, id), ['hold']],
    resume: [(id) => other.steering.resume(PRINCIPAL, id), ['resume']],
    take_over: [(id) => other.steering.takeOver(PRINCIPAL, id), ['takeOver']],
    hand_back: [(id) => other.steering.handBack(PRINCIPAL, id), ['handBack']],
  };

  /** They end the talk with the agent. */
  const transfers: typeof acts = {
    transfer: [(id) => other.steering.transfer(PRINCIPAL, id, '+14155550155'), ['transfer', '+14155550155']],
    warm_transfer: [
      (id) => other.steering.transferWarmly(PRINCIPAL, id, WARM),
      ['transferWarmly', WARM.to, { briefing: WARM.briefing, ringSeconds: 20, stay: true }],
    ],
  };

  const expectDone = async (names: readonly string[], done: readonly unknown[]) => {
    await rig.pass(3_000);
    expect(rig.conversations[0]!.steered).toEqual(done);
    const told = names.map((action) => ({ action, by: 'Test', principal_id: 'key_test' }));
    expect(await logged()).toEqual(told);
  };

  it('is done once, answered, and logged once', async () => {
    for (const [at, [action, [act]]] of Object.entries(acts).entries()) {
      expect(await rig.settled(act(call.id)), action).toMatchObject({ callId: call.id, mode: 'agent' });
      const sofar = Object.entries(acts).slice(0, at + 1);
      await expectDone(
        sofar.map(([name]) => name),
        sofar.map(([, [, done]]) => done),
      );
    }
  });

  it.each(Object.entries(transfers))(
    '%s is done once, answered, and logged once',
    async (name, [act, done]) => {
      expect(await rig.settled(act(call.id))).toMatchObject({ callId: call.id, mode: 'agent' });
      await expectDone([name], [done]);
    },
  );

  it('is refused with the reason of the process that carries the call', async () => {
    rig.conversations[0]!.canBeSteered = false;
    await expect(rig.settled(other.steering.resume(PRINCIPAL, call.id))).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'The caller is not on hold.',
    });
    expect(await logged()).toEqual([]);
  });

  it('is refused where the call is of another workspace, or not live', async () => {
    const stranger = { ...PRINCIPAL, workspace: 'another' };
    await expect(other.steering.mute(stranger, call.id)).rejects.toMatchObject({ code: 'call_not_found' });
    const waiting = await rig.create();
    await expect(other.steering.mute(PRINCIPAL, waiting.id)).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'The call is not live.',
    });
    expect(rig.conversations[0]!.steered).toEqual([]);
  });

  it('presses keys in its sound', async () => {
    const sent = rig.settled(other.calls.sendDigits(PRINCIPAL, call.id, '1w2#'));
    expect(await sent).toMatchObject({ call_id: call.id, digits: '1w2#', sent: true });
    expect(rig.conversations[0]!.sent).toEqual(['1w2#']);
  });

  it('presses the keys of a repeated request once', async () => {
    const kept = { scope: 'digits', key: 'menu-1', requestHash: 'hash', status: 200, body: '' };
    const answer = { ...kept, createdAt: rig.clock.wallMs(), expiresAt: rig.clock.wallMs() + 60_000 };
    const press = () => other.calls.sendDigits(PRINCIPAL, call.id, '4', answer);
    await rig.settled(press());
    await rig.settled(press()).catch(() => {});
    expect(rig.conversations[0]!.sent).toEqual(['4']);
  });

  it('ends the call, and answers with its end', async () => {
    const ended = await rig.settled(other.calls.disconnect(PRINCIPAL, call.id));
    expect(ended).toMatchObject({
      alreadyEnded: false,
      call: { status: 'completed', ended_reason: 'api_disconnect', ended_at: expect.any(Number) as number },
    });
  });

  it('tells the agent that a machine has answered, whichever process the carrier tells', async () => {
    const line = { carrier: call.provider, providerCallId: call.provider_call_id!, dialRef: null };
    await rig.settled(
      other.carrierHost.acceptDetection({ ...line, answeredBy: 'machine', greetingEnded: true }),
    );
    expect(rig.conversations[0]!.machines).toEqual([true]);
  });

  it('is withdrawn, and never done, where the process that carries the call does not take it', async () => {
    await rig.store.write(nodeTransactions.heartbeat, {
      id: 'node_frozen',
      address: 'test',
      folderId: rig.folderId,
      at: rig.clock.wallMs(),
    });
    await rig.store.write(lookTransactions.carriedBy, { callId: call.id, nodeId: 'node_frozen' });
    await expect(rig.settled(other.steering.mute(PRINCIPAL, call.id))).rejects.toMatchObject({
      code: 'unavailable',
      message: /nothing was done/,
    });
    expect(await rig.store.read(actionTransactions.waiting, { nodeId: 'node_frozen', since: 0 })).toEqual([]);
    expect(rig.conversations[0]!.steered).toEqual([]);
  });

  it('is not begun late, where whoever has asked could not take it back', async () => {
    const nodeId = call.node_id!;
    const asked = {
      id: 'act_1',
      callId: call.id,
      workspace: null,
      askedBy: 'node_dead',
      action: { name: 'mute' } as const,
    };
    await rig.store.write(actionTransactions.ask, {
      ...asked,
      by: PRINCIPAL,
      at: rig.clock.wallMs() - 11_000,
    });
    await rig.pass(3_000);
    expect(rig.conversations[0]!.steered).toEqual([]);
    expect(await rig.store.read(actionTransactions.waiting, { nodeId, since: 0 })).toEqual(['act_1']);
  });

  it('is logged once, although its answer is written again because the first was lost', async () => {
    const asked = {
      id: 'act_1',
      callId: call.id,
      workspace: null,
      askedBy: 'node_other',
      action: { name: 'mute' } as const,
    };
    await rig.store.write(actionTransactions.ask, { ...asked, by: PRINCIPAL, at: rig.clock.wallMs() });
    await rig.pass(3_000);
    const data = { action: 'mute', by: PRINCIPAL.name, principal_id: PRINCIPAL.id };
    const note = { callId: call.id, type: 'steered' as const, at: rig.clock.wallMs(), data };
    const answer = { kind: 'done', mode: 'muted' } as const;
    await rig.store.write(actionTransactions.answer, { id: 'act_1', askedBy: 'node_other', answer, note });
    expect(await logged()).toEqual([data]);
  });

  it('is refused at once where that process is gone', async () => {
    await rig.store.write(nodeTransactions.leave, { id: call.node_id! });
    await expect(other.steering.mute(PRINCIPAL, call.id)).rejects.toMatchObject({
      code: 'invalid_state',
      message: /is gone/,
    });
    const ended = await rig.settled(other.calls.disconnect(PRINCIPAL, call.id));
    // Its end has begun, and is written by whoever finds the call.
    expect(ended.call).toMatchObject({ ended_reason: 'api_disconnect' });
  });

  it('is forgotten when it is answered: words of people are not kept', async () => {
    await rig.settled(other.steering.say(PRINCIPAL, call.id, { text: 'Secret.', interrupt: false }));
    const before = rig.clock.wallMs() + 1;
    expect(await rig.store.write(actionTransactions.purge, { before, limit: 10 })).toBe(1);
  });
});
