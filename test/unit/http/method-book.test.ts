import { describe, expect, it } from 'vitest';
import { createMethodBook } from '../../../src/http/requests/method-book.js';

describe('the book of methods', () => {
  const book = createMethodBook();
  book.note('/api/calls', ['GET', 'POST']);
  book.note('/api/calls/:call_id', 'GET');
  book.note('/api/calls/:call_id/log', 'GET');
  book.note('/api/calls/stats', 'POST');
  book.note('/docs/static/*', 'GET');
  book.note('*', 'OPTIONS');

  it.each([
    ['/api/calls', ['GET', 'POST']],
    ['/api/calls/', ['GET', 'POST']],
    ['/api/calls?limit=1', ['GET', 'POST']],
    ['/api/calls/call_1', ['GET']],
    ['/api/calls/stats', ['POST']],
    ['/api/calls/stats/?x=1', ['POST']],
    ['/docs/static/css/x.css', ['GET']],
    ['/api', []],
    ['/api/calls/call_1/more', []],
    ['/api/calls/call_1/log', ['GET']],
    ['/api/calls//log', []],
    ['/', []],
  ])('knows what %s understands', (url, methods) => {
    expect(book.allowedAt(url)).toEqual(methods);
  });

  it('refuses a method where a path has a name of its own, and nowhere else', () => {
    expect(book.refuses('GET', '/api/calls/stats?x=1')).toBe(true);
    expect(book.refuses('POST', '/api/calls/stats/')).toBe(false);
    expect(book.refuses('DELETE', '/api/calls/call_1')).toBe(false);
    expect(book.refuses('GET', '/nowhere')).toBe(false);
  });
});
