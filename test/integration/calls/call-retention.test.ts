import { describe, expect, it } from 'vitest';
import { createCallErasure } from '#batches/erasure.js';
import { callPurges } from '#calls/erasure/call-retention.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { databaseOn, engines } from '#test/support/engines.js';

const DAY_MS = 86_400_000;

describe.each(engines)('calls that are old, on %s', (engine) => {
  const openRig = async () => CallRig.started(await databaseOn(engine));

  /** A call that was held, recorded and analysed. */
  async function talkOver(rig: CallRig): Promise<string> {
    const call = await rig.talking({ customer_data: { name: 'Ada' } });
    rig.conversations.at(-1)!.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    await rig.until(async () => (await rig.allEventTypes(call.id)).length === 8);
    return call.id;
  }

  function purgesOf(rig: CallRig, kept: { recordingDays: number | null; callDays: number | null }) {
    const { calls, recordings } = rig.callService;
    const erasure = createCallErasure(rig.store);
    const purges = callPurges({ store: rig.store, log: rig.log.log, calls, erasure, recordings }, kept);
    return async (now: number) => {
      for (const purge of purges) while (await purge(now));
    };
  }

  it('stay without a retention', async () => {
    const rig = await openRig();
    const id = await talkOver(rig);
    const purge = purgesOf(rig, { recordingDays: null, callDays: null });
    const log = await rig.store.read(lookTransactions.log, { callId: id });
    await purge(rig.clock.wallMs() + 10_000 * DAY_MS);
    expect(await rig.callService.recordings.get(PRINCIPAL, id)).toMatchObject({ status: 'ready' });
    expect(await rig.call(id)).toMatchObject({ to_phone: '+14155550123', customer_data: { name: 'Ada' } });
    expect(await rig.store.read(lookTransactions.log, { callId: id })).toEqual(log);
  });

  it('lose their recordings after so many days, and nothing else', async () => {
    const rig = await openRig();
    const id = await talkOver(rig);
    const now = rig.clock.wallMs();
    const purge = purgesOf(rig, { recordingDays: 30, callDays: null });
    await purge(now + 29 * DAY_MS);
    expect(await rig.callService.recordings.get(PRINCIPAL, id)).toMatchObject({ status: 'ready' });
    const late = await talkOver(rig);
    await purge(now + 30 * DAY_MS);
    await expect(rig.callService.recordings.get(PRINCIPAL, id)).rejects.toMatchObject({
      code: 'recording_not_found',
    });
    expect(await rig.callService.recordings.get(PRINCIPAL, late)).toMatchObject({ status: 'ready' });
    expect(await rig.call(id)).toMatchObject({ to_phone: '+14155550123', customer_data: { name: 'Ada' } });
  });

  it('are erased so many days after their end, and never before it', async () => {
    const rig = await openRig();
    const over = await talkOver(rig);
    const now = rig.clock.wallMs();
    const waiting = await rig.create({
      scheduled_time: new Date(now + 300 * DAY_MS).toISOString(),
      customer_data: { name: 'Jordan' },
    });
    const purge = purgesOf(rig, { recordingDays: null, callDays: 30 });
    await purge(now + 29 * DAY_MS);
    expect(await rig.call(over)).toMatchObject({ to_phone: '+14155550123' });
    await purge(now + 31 * DAY_MS);
    expect(await rig.call(over)).toMatchObject({
      to_phone: '',
      customer_data: {},
      summary: null,
      status: 'completed',
    });
    expect(await rig.store.read(lookTransactions.events, { callId: over })).toEqual([]);
    expect(await rig.call(waiting.id)).toMatchObject({ customer_data: { name: 'Jordan' } });
    expect(await rig.store.read(lookTransactions.log, { callId: over })).toEqual([]);
    expect(await rig.store.read(lookTransactions.log, { callId: waiting.id })).toHaveLength(1);
    const erasedAt = (await rig.call(over)).updated_at;
    await rig.clock.advance(1_000);
    await purge(now + 40 * DAY_MS);
    expect((await rig.call(over)).updated_at).toBe(erasedAt);
  });

  it('lose their logs as well when a client has erased them, however long those are', async () => {
    const rig = await openRig();
    const id = await talkOver(rig);
    for (let i = 0; i < 260; i += 1)
      await rig.store.write(talkTransactions.note, {
        callId: id,
        type: 'language_changed',
        at: rig.clock.wallMs(),
        data: {},
      });
    await rig.callService.calls.erase(PRINCIPAL, id);
    const now = rig.clock.wallMs();
    const purge = purgesOf(rig, { recordingDays: null, callDays: 30 });
    await purge(now + 29 * DAY_MS);
    expect((await rig.store.read(lookTransactions.log, { callId: id })).length).toBeGreaterThan(260);
    await purge(now + 31 * DAY_MS);
    expect(await rig.store.read(lookTransactions.log, { callId: id })).toEqual([]);
  });

  it('are not looked for by their attempts to dial for longer than a month', async () => {
    const rig = await openRig();
    const over = await talkOver(rig);
    const now = rig.clock.wallMs();
    const waiting = await rig.create({ scheduled_time: new Date(now + 300 * DAY_MS).toISOString() });
    const unsettled = await talkOver(rig);
    await rig.store.write(lookTransactions.setAside, { callId: unsettled });
    const [ended] = await rig.store.read(lookTransactions.attempts, { callId: over });
    const purge = purgesOf(rig, { recordingDays: null, callDays: null });
    const left = async () => {
      const found = [over, waiting.id, unsettled].map((callId) =>
        rig.store.read(lookTransactions.attempts, { callId }),
      );
      return (await Promise.all(found)).map((attempts) => attempts.length);
    };
    await purge(Number(ended!['updated_at']) + 30 * DAY_MS);
    expect(await left()).toEqual([1, 1, 1]);
    await purge(Number(ended!['updated_at']) + 30 * DAY_MS + 1);
    expect(await left()).toEqual([0, 1, 1]);
    await purge(now + 200 * DAY_MS);
    expect(await left()).toEqual([0, 1, 1]);
    expect(await rig.call(over)).toMatchObject({ status: 'completed' });
  });

  it('that cannot be removed hold up no others, and are tried again the next day', async () => {
    const rig = await openRig();
    const [first, second] = [await talkOver(rig), await talkOver(rig)];
    const now = rig.clock.wallMs();
    const removed: string[] = [];
    let isStuck = true;
    const purge = callPurges(
      {
        store: rig.store,
        log: rig.log.log,
        calls: rig.callService.calls,
        erasure: createCallErasure(rig.store),
        recordings: {
          removeFile: async () => {},
          async remove(principal, callId) {
            if (isStuck && callId === first) throw new Error('the file is held');
            await rig.callService.recordings.remove(principal, callId);
            removed.push(callId);
          },
        },
      },
      { recordingDays: 1, callDays: null },
    ).at(-1);
    await purge!(now + 2 * DAY_MS);
    expect(removed).toEqual([second]);
    expect(rig.log.lines).toContainEqual(
      expect.objectContaining({ msg: 'a record past its retention period could not be removed', id: first }),
    );
    isStuck = false;
    await purge!(now + 2 * DAY_MS + 3_600_000);
    expect(removed).toEqual([second]);
    await purge!(now + 3 * DAY_MS);
    expect(removed).toEqual([second, first]);
  });
});
