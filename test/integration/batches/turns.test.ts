import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';
import { later, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** No callee answers. */
const NO_ANSWER = PERSONAS.filter(({ pickup }) => pickup.kind === 'no_answer');
const LINES = 2;

interface LiveCall {
  call_id: string;
  to_phone: string;
}

/** A service with two lines, and the network's call journal. */
async function openBusyService(environment: Record<string, string>) {
  const journalPath = join(temporaryFolder(), 'ledger.jsonl');
  const service = await buildTestService({
    listen: true,
    environment: { MAX_CONCURRENT_CALLS: `${LINES}`, INBOUND_SHARE_PERCENT: '0', ...environment },
    replace: { sandbox: { callsPerSecond: 1_000, journalPath, personas: NO_ANSWER } },
  });
  onTestFinished(() => service.close());
  const dialled = () =>
    (existsSync(journalPath) ? readFileSync(journalPath, 'utf8').split('\n').filter(Boolean) : [])
      .map((line) => JSON.parse(line) as JournalLine)
      .filter(({ what }) => what === 'dialled')
      .map(({ to }) => to);
  return { service, dialled };
}

async function asked(service: TestService, method: string, path: string, body?: object) {
  const answer = await service.request(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body as Record<string, unknown>;
}

describe.each(engines)('when all lines are taken by a batch, on %s', (engine) => {
  it('calls of their own are dialled next, and the batch goes on after them', async () => {
    const { databaseUrl: DATABASE_URL } = await databaseOn(engine);
    const { service, dialled } = await openBusyService(DATABASE_URL ? { DATABASE_URL } : {});
    const numbers = Array.from({ length: 8 }, (_, i) => `+1415555200${i}`);
    const batch = (await asked(service, 'POST', '/batch/schedule-call', {
      to_number: numbers,
    })) as BatchAnswer;
    await once(() => expect(dialled()).toHaveLength(LINES));
    await once(async () =>
      expect(await asked(service, 'GET', `/api/batches/${batch.id}`)).toMatchObject({ live_calls: 8 }),
    );

    const [wanted, triggered] = ['+14155553001', '+14155553002'] as const;
    const agent = await asked(service, 'POST', '/api/agents', { name: 'Receptionist' });
    const schedule = await asked(service, 'POST', '/api/scheduled-calls', {
      agent_id: agent['id'],
      phone_number: triggered,
      scheduled_time: later(),
    });
    await asked(service, 'POST', '/outbound-call', { to_number: wanted });
    await asked(service, 'POST', `/api/scheduled-calls/${String(schedule['id'])}/trigger`);
    const callTo = async (number: string) => {
      const { data } = (await asked(service, 'GET', '/api/calls')) as { data: LiveCall[] };
      return data.find(({ to_phone }) => to_phone === number);
    };
    await once(async () => expect(await callTo(triggered)).toBeDefined());
    const ringing = batch.call_ids.filter((_, i) => dialled().includes(numbers[i]!));
    for (const callId of ringing) await asked(service, 'POST', `/api/calls/${callId}/disconnect`);
    await once(() => expect(dialled().slice(LINES).sort()).toEqual([wanted, triggered]));

    await asked(service, 'POST', `/api/calls/${(await callTo(wanted))!.call_id}/disconnect`);
    await once(() => expect(dialled()).toHaveLength(LINES + 3));
    expect(numbers).toContain(dialled().at(-1));
  });
});
