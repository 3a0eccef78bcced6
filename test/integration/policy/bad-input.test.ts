import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

interface Failure {
  code: string;
  details: { field: string }[];
}

let service: TestService;
beforeAll(async () => {
  service = await buildTestService();
});
afterAll(() => service.close());

async function ask(method: string, url: string, payload?: string | object, type = 'application/json') {
  const answer = await service.app.server.inject({
    method: method as 'GET',
    url,
    headers: { 'x-api-key': TEST_KEY, ...(payload === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json<Failure>() };
}

async function expectRefused(answer: Promise<{ status: number; body: Failure }>, field: string) {
  const { status, body } = await answer;
  expect(status).toBe(400);
  expect(body.details.map((detail) => detail.field)).toContain(field);
}

const NUMBER = '/api/numbers/%2B14155550123';

describe('a wrong field', () => {
  it.each([
    ['verdict', 'perhaps'],
    ['limit', '0'],
    ['limit', 'some'],
    ['cursor', 'x'],
    ['created_after', 'x'],
    ['created_before', 'yesterday'],
  ])('of decisions: %s=%s', async (name, value) => {
    const answer = await ask('GET', `${NUMBER}/decisions?${name}=${value}`);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toMatch(new RegExp(`^query\\.${name}`));
  });

  it.each([
    [{ phone_numbers: [] }, 'phone_numbers'],
    [{ phone_numbers: 'all' }, 'phone_numbers'],
    [{ phone_numbers: ['+14155550123', '12ab'] }, 'phone_numbers[1]'],
    [{ phone_numbers: Array(1_001).fill('+14155550123') }, 'phone_numbers'],
    [{}, 'phone_numbers'],
  ])('of a look-up: %.60j', async (body, field) => {
    await expectRefused(ask('POST', '/api/suppressions/check', body), field);
  });

  it.each([
    [{ phone_numbers: [] }, 'phone_numbers'],
    [{ phone_numbers: 7 }, 'phone_numbers'],
    [{ phone_numbers: [7] }, 'phone_numbers[0]'],
    [{}, 'phone_numbers'],
    [{ phone_numbers: ['+14155550123'], reason: 'whim' }, 'reason'],
    [{ phone_numbers: ['+14155550123'], note: 7 }, 'note'],
    [{ phone_numbers: ['+14155550123'], expires_at: 'never' }, 'expires_at'],
  ])('of an import: %j', async (body, field) => {
    await expectRefused(ask('POST', '/api/suppressions/import', body), field);
  });

  it.each(['dry_run=perhaps', 'reason=whim'])('of the query of an import: %s', async (query) => {
    const answer = ask('POST', `/api/suppressions/import?${query}`, '+14155550123\n', 'text/csv');
    await expectRefused(answer, `query.${query.split('=')[0]}`);
  });
});

describe('a missing body', () => {
  const TEN_MEGABYTES = JSON.stringify({ note: 'x'.repeat(10 * 1024 * 1024) });

  it.each(['', '/check', '/import'])('POST /api/suppressions%s', async (path) => {
    const url = `/api/suppressions${path}`;
    for (const text of ['[]', '7', 'null', '{"phone_number":'])
      expect((await ask('POST', url, text)).status, text).toBe(400);
    expect((await ask('POST', url, TEN_MEGABYTES)).status).toBe(413);
    expect((await ask('POST', url, '<numbers/>', 'application/xml')).status).toBe(415);
  });

  it('leaves the list empty', async () => {
    expect((await ask('GET', '/api/suppressions')).body).toMatchObject({ data: [] });
  });
});

describe('an invalid number', () => {
  it.each(['', '/decisions'])('is 404: GET /api/numbers/{phone_number}%s', async (path) => {
    for (const name of ['nobody', '12', '%2B', '+1415555012345678901'])
      expect(await ask('GET', `/api/numbers/${name}${path}`), name).toMatchObject({
        status: 404,
        body: { code: 'phone_number_not_found' },
      });
  });

  it('is on no list', async () => {
    for (const method of ['GET', 'DELETE'])
      expect(await ask(method, '/api/suppressions/nobody')).toMatchObject({
        status: 404,
        body: { code: 'suppression_not_found' },
      });
  });
});
