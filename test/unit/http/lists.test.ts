import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { listQuery, requireOwnCursor, answerWithPage } from '#http/answers/lists.js';

const ITEM = { createdAt: 1_795_224_519_306, id: `call_${'0'.repeat(26)}` };

/** What a list answers to whoever asked at a URL, and the header that leads on. */
function answered(url: string, next: typeof ITEM | null) {
  const headers: Record<string, unknown> = {};
  const reply = { header: (name: string, value: unknown) => (headers[name] = value) };
  const page = { items: [ITEM], next };
  const request = { url, query: queryOf(url) } as FastifyRequest;
  return { body: answerWithPage(request, reply as unknown as FastifyReply, page), headers };
}

function queryOf(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
}

describe('a page of a list', () => {
  it.each([
    [{}, 50],
    [{ limit: '1' }, 1],
    [{ limit: '200' }, 200],
    [{ limit: '201' }, 200],
    [{ limit: '1000000000' }, 200],
    [{ limit: '007' }, 7],
  ])('asked for with %j has at most %i items', (query, limit) => {
    expect(listQuery.parse(query).limit).toBe(limit);
  });

  it.each(['0x10', '1e2', '0b1', '0o7', ' 5', '+5', '1.0', '-1', '0', '', 'many', 'Infinity'])(
    'is not as long as %j says',
    (limit) => {
      const { error } = listQuery.safeParse({ limit });
      expect(error?.issues.map(({ path }) => path)).toEqual([['limit']]);
    },
  );

  it('leads to the next one of the same question', () => {
    const url = '/api/calls?status=failed&limit=1&q=a%26b&cursor=of-the-page-before';
    const { body, headers } = answered(url, ITEM);
    const next = `/api/calls?status=failed&limit=1&q=a%26b&cursor=${body.next_cursor}`;
    expect(headers).toEqual({ link: `<${next}>; rel="next"` });
    expect(listQuery.parse({ cursor: body.next_cursor }).cursor).toMatchObject(ITEM);
  });

  it.each([
    ['/api/calls?q=a&status=failed', true],
    ['/api/calls?status=failed&q=a&limit=9&expand=agent', true],
    ['/api/calls?status=failed&q=A', true],
    ['/api/calls?q=a&status=busy', false],
    ['/api/calls?q=a', false],
  ])('leads on however the same is asked, and nowhere else: %s (%s)', (url, isSame) => {
    const { body } = answered('/api/calls?status=failed&q=a', ITEM);
    const { cursor } = listQuery.parse({ cursor: body.next_cursor });
    const asked = { query: { ...queryOf(url), cursor } };
    const looking = () => requireOwnCursor(asked as unknown as FastifyRequest);
    if (isSame) expect(looking).not.toThrow();
    else expect(looking).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it('is of the thing in its path alone', () => {
    const ofThing = (id: string) =>
      ({
        url: `/api/batches/${id}/calls`,
        query: {},
        params: { id },
        routeOptions: { url: '/api/batches/:id/calls' },
      }) as const;
    const reply = { header: () => reply } as unknown as FastifyReply;
    const { next_cursor } = answerWithPage(ofThing('batch_1') as unknown as FastifyRequest, reply, {
      items: [],
      next: ITEM,
    });
    const query = { cursor: listQuery.parse({ cursor: next_cursor }).cursor };
    const at = (id: string) => () => requireOwnCursor({ ...ofThing(id), query } as unknown as FastifyRequest);
    expect(at('batch_1')).not.toThrow();
    expect(at('batch_2')).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it('leads nowhere when it is the last', () => {
    expect(answered('/api/calls', null)).toEqual({
      body: { object: 'list', data: [ITEM], has_more: false, next_cursor: null },
      headers: {},
    });
  });
});
