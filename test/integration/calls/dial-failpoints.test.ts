import { describe, expect, it } from 'vitest';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { SandboxKind } from '#telephony/sandbox/sandbox-kinds.js';
import type { Service } from '#test/support/service.js';
import { once } from '#test/support/call-story.js';
import { CallLoad } from '#test/support/call-load.js';
import { drawn } from '#test/support/tier.js';

interface Death {
  /** The steps at which one process after the other dies (`dying-service.mjs`). */
  at: readonly [string, ...string[]];
  /** A carrier that finds calls by our reference, unless said. */
  kind?: SandboxKind;
  environment?: Record<string, string>;
  /** When the calls are due, in milliseconds from now. */
  inMs?: number;
  /** Ends of calls whose phone need not have rung. */
  unrung?: readonly EndedReason[];
  /** Whether a client ends every call meanwhile. */
  disconnects?: true;
  /** Whether phones ring until their calls are ended, which begins when the first of them rings. */
  rings?: true;
}

const LOST = { SANDBOX_FAULTS: 'lost_answers=1' };

const DEATHS: readonly Death[] = [
  { at: ['after dials.claim', 'after dials.placed'] },
  { at: ['before carriers.find'] },
  { at: ['after dials.begin'], kind: 'key' },
  { at: ['after carrier.place'], kind: 'key' },
  { at: ['before dials.uncertain'], environment: LOST },
  // Three of the four calls wait longer than they may.
  {
    at: ['before dials.failed'],
    environment: { CALLS_PER_SECOND: '1' },
    inMs: -298_500,
    unrung: ['expired'],
  },
  { at: ['after dials.begin', 'after carrier.lookUp'] },
  { at: ['after carrier.place', 'after dials.placed'] },
  { at: ['after dials.begin', 'after dials.postpone'] },
  { at: ['after dials.begin', 'after dials.failed'], kind: 'neither', unrung: ['uncertain'] },
  { at: ['after endings.finishWithoutAudio'], disconnects: true, unrung: ['cancelled'] },
  { at: ['after carrier.hangUp'], disconnects: true, rings: true, unrung: ['cancelled'] },
];

/** Asks to end every call, as often as it takes until the process dies of it. */
async function disconnectAll({ request }: Service): Promise<void> {
  const { body } = await request('GET', '/api/calls');
  const calls = (body as { data: { call_id: string }[] }).data;
  await Promise.allSettled(calls.map(({ call_id }) => request('POST', `/api/calls/${call_id}/disconnect`)));
}

// Mostly they wait for leases to end, so several do at the same time.
describe.concurrent('a process that dies between two steps', () => {
  it.for(drawn(2, DEATHS))(
    'at $at is followed by one that finishes its work',
    async (death, { onTestFinished }) => {
      const load = new CallLoad(death.kind ?? 'look_up', death.environment, death.rings && 'no_answer');
      onTestFinished(() => load.killAll());
      const [first, ...others] = death.at;
      await load.startDying(first);
      const { ended } = load.service().child;
      await load.ask(4, death.inMs ?? 1_500);
      if (death.rings) await once(() => expect(load.timesDialled().size).toBeGreaterThan(0));
      if (death.disconnects) await disconnectAll(load.service());
      expect((await ended).code).toBe('SIGKILL');
      for (const place of others) expect(await load.startAndDie(place)).toBe('SIGKILL');
      await load.startDying();
      await load.expectEachOnce(death.unrung ?? []);
      await load.killAll();
      load.expectSoundDatabase();
    },
  );
});
