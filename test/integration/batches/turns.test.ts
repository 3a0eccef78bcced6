import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PERSONAS } from '../../../src/telephony/sandbox/personas/personas.js';
import type { LedgerLine } from '../../../src/telephony/sandbox/ledger.js';
import { later, type BatchAnswer } from '../../support/batches.js';
import { once } from '../../support/call-story.js';
import { buildTestHouse, type TestHouse } from '../../support/house.js';
import { startPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/store.js';

/** Everybody lets it ring. */
const NO_ANSWER = PERSONAS.filter(({ pickup }) => pickup.kind === 'no_answer');
const LINES = 2;

const postgres = await startPostgres();

interface LiveCall {
  call_id: string;
  to_phone: string;
}

/** A house of two lines, and the telephone network's own book of the phones that it made ring. */
async function openBusyHouse(environment: Record<string, string>) {
  const ledgerPath = join(temporaryFolder(), 'ledger.jsonl');
  const house = await buildTestHouse({
    listen: true,
    environment: { MAX_CONCURRENT_CALLS: `${LINES}`, INBOUND_SHARE_PERCENT: '0', ...environment },
    replace: { sandbox: { callsPerSecond: 1_000, ledgerPath, personas: NO_ANSWER } },
  });
  onTestFinished(() => house.close());
  const dialled = () =>
    (existsSync(ledgerPath) ? readFileSync(ledgerPath, 'utf8').split('\n').filter(Boolean) : [])
      .map((line) => JSON.parse(line) as LedgerLine)
      .filter(({ what }) => what === 'dialled')
      .map(({ to }) => to);
  return { house, dialled };
}

async function asked(house: TestHouse, method: string, path: string, body?: object) {
  const answer = await house.request(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body as Record<string, unknown>;
}

describe.each(['sqlite', 'postgres'])('when all lines are taken by a batch, on %s', (engine) => {
  const isMissing = engine === 'postgres' && postgres.isMissing;

  it.skipIf(isMissing)('calls of their own are dialled next, and the batch goes on after them', async () => {
    const DATABASE_URL = engine === 'postgres' ? await postgres.server.createDatabase() : undefined;
    const { house, dialled } = await openBusyHouse(DATABASE_URL ? { DATABASE_URL } : {});
    const numbers = Array.from({ length: 8 }, (_, i) => `+1415555200${i}`);
    const batch = (await asked(house, 'POST', '/batch/schedule-call', { to_number: numbers })) as BatchAnswer;
    await once(() => expect(dialled()).toHaveLength(LINES));
    await once(async () =>
      expect(await asked(house, 'GET', `/api/batches/${batch.id}`)).toMatchObject({ live_calls: 8 }),
    );

    const [wanted, triggered] = ['+14155553001', '+14155553002'] as const;
    const agent = await asked(house, 'POST', '/api/agents', { name: 'Receptionist' });
    const schedule = await asked(house, 'POST', '/api/scheduled-calls', {
      agent_id: agent['id'],
      phone_number: triggered,
      scheduled_time: later(),
    });
    await asked(house, 'POST', '/outbound-call', { to_number: wanted });
    await asked(house, 'POST', `/api/scheduled-calls/${String(schedule['id'])}/trigger`);
    const callTo = async (number: string) => {
      const { data } = (await asked(house, 'GET', '/api/calls')) as { data: LiveCall[] };
      return data.find(({ to_phone }) => to_phone === number);
    };
    await once(async () => expect(await callTo(triggered)).toBeDefined());
    const ringing = batch.call_ids.filter((_, i) => dialled().includes(numbers[i]!));
    for (const callId of ringing) await asked(house, 'POST', `/api/calls/${callId}/disconnect`);
    await once(() => expect(dialled().slice(LINES).sort()).toEqual([wanted, triggered]));

    await asked(house, 'POST', `/api/calls/${(await callTo(wanted))!.call_id}/disconnect`);
    await once(() => expect(dialled()).toHaveLength(LINES + 3));
    expect(numbers).toContain(dialled().at(-1));
  });
});
