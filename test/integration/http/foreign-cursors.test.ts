import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestService, type TestService } from '#test/support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService();
  for (const name of ['Ada', 'Alan', 'Grace']) await service.request('POST', '/api/agents', { name });
});
afterAll(() => service.close());

const listed = async (path: string) => {
  const { status, body } = await service.request('GET', path);
  return { status, body: body as { data: { name: string }[]; next_cursor: string } };
};

describe('a cursor', () => {
  it('leads through the list that it was given out for, with any page size', async () => {
    const first = await listed('/api/agents?limit=1&status=active');
    const rest = await listed(`/api/agents?status=active&cursor=${first.body.next_cursor}&limit=7`);
    expect(rest.body.data).toHaveLength(first.body.data[0]!.name === 'Grace' ? 2 : 3);
  });

  it.each(['/api/calls?', '/api/agents?', '/api/agents?q=Ada&', '/api/batches/batch_1/calls?'])(
    'of other filters is refused at %s',
    async (path) => {
      const { body } = await listed('/api/agents?limit=1&status=active');
      expect(await listed(`${path}cursor=${body.next_cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor', details: [{ field: 'query.cursor' }] },
      });
    },
  );
});
