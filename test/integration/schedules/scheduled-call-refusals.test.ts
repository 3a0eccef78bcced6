import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestHouse, type TestHouse } from '../../support/house.js';

type Body = Record<string, unknown>;
let house: TestHouse;
let agentId: string;

const ask = async (method: string, url: string, payload?: unknown) => {
  const { status, body } = await house.request(method, url, payload);
  return { status, body: body as Body };
};
const details = (body: Body) =>
  (body['details'] as { field: string; code: string }[]).map(({ field, code }) => [field, code]);

beforeAll(async () => {
  house = await buildTestHouse({ environment: { DEFAULT_TIMEZONE: 'Europe/Berlin' } });
  agentId = String((await ask('POST', '/api/agents', { name: 'Receptionist' })).body['id']);
});
afterAll(() => house.close());

/** New Year of next year but one is too far, of next year is always ahead. */
const NEXT_YEAR = new Date().getUTCFullYear() + 1;
const once = (more: Body = {}): Body => ({
  agent_id: agentId,
  phone_number: '+14155550123',
  scheduled_time: `${NEXT_YEAR}-01-05 10:00:00`,
  timezone: 'America/New_York',
  ...more,
});
const daily = (more: Body = {}): Body => ({
  agent_id: agentId,
  phone_number: '+14155550123',
  cron_expression: '0 9 * * MON-FRI',
  timezone: 'Europe/London',
  ...more,
});

describe('bad input', () => {
  it.each([
    [{ agent_id: undefined }, 'agent_id', 400],
    [{ agent_id: 'agent_nobody' }, 'agent_id', 404],
    [{ phone_number: '12ab' }, 'phone_number', 400],
    [{ from_phone: 'x' }, 'from_phone', 400],
    [{ scheduled_time: '2026-12-25' }, 'scheduled_time', 400],
    [{ scheduled_time: '2027-02-29 10:00:00' }, 'scheduled_time', 400],
    [{ scheduled_time: '2020-01-01 10:00:00' }, 'scheduled_time', 400],
    [{ scheduled_time: '2099-01-01 10:00:00' }, 'scheduled_time', 400],
    [{ timezone: 'UTC+3' }, 'timezone', 400],
    [{ timezone: 'local' }, 'timezone', 400],
    [{ name: 'x'.repeat(201) }, 'name', 400],
    [{ description: 7 }, 'description', 400],
    [{ customer_context: [] }, 'customer_context', 400],
    [{ metadata: 'x' }, 'metadata', 400],
    [{ retry_policy: { max_retries: 11 } }, 'retry_policy.max_retries', 400],
    [{ retry_policy: { retry_delay: 0 } }, 'retry_policy.retry_delay', 400],
    [{ retry_policy: { retry_on: ['luck'] } }, 'retry_policy.retry_on[0]', 400],
    [{ webhook_url: 'http://example.com' }, 'webhook_url', 400],
    [{ webhook_events: ['ended'] }, 'webhook_events[0]', 400],
    [{ grace_seconds: -1 }, 'grace_seconds', 400],
  ])('%j names %s (%i)', async (more, field, status) => {
    const answer = await ask('POST', '/api/scheduled-calls', once(more));
    expect(answer.status).toBe(status);
    expect(details(answer.body).map(([name]) => name)).toContain(field);
  });

  it.each(['', '* * * *', '0 9 * * * *', '@daily', '0 0 30 2 *', 'H * * * *', '*/100 * * * *'])(
    'the expression %j is refused by its name',
    async (expression) => {
      const answer = await ask(
        'POST',
        '/api/scheduled-calls/recurring',
        daily({ cron_expression: expression }),
      );
      expect(answer.status).toBe(400);
      expect(details(answer.body)).toEqual([['cron_expression', 'invalid_cron_expression']]);
    },
  );

  it('names every bad field at once', async () => {
    const answer = await ask('POST', '/api/scheduled-calls/recurring', {
      phone_number: 'x',
      cron_expression: 'y',
      timezone: 'z',
      max_occurrences: 0,
    });
    expect(new Set(details(answer.body).map(([name]) => name))).toEqual(
      new Set(['agent_id', 'cron_expression', 'max_occurrences', 'phone_number', 'timezone']),
    );
  });

  it('an unknown schedule is nowhere', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/trigger'],
      ['GET', '/history'],
      ['GET', '/next-runs'],
    ] as const) {
      const answer = await ask(
        method,
        `/api/scheduled-calls/sched_nobody${path}`,
        method === 'PUT' ? {} : undefined,
      );
      expect([answer.status, answer.body['code']], `${method} ${path}`).toEqual([
        404,
        'scheduled_call_not_found',
      ]);
    }
  });
});
