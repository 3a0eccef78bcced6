import { describe, expect, it } from 'vitest';
import { createMethodBook } from '../../../src/http/method-book.js';

describe('the book of methods', () => {
  const book = createMethodBook();
  book.note('/api/calls', ['GET', 'POST']);
  book.note('/api/calls/:call_id', 'GET');
  book.note('/api/calls/stats', 'POST');
  book.note('/docs/static/*', 'GET');
  book.note('*', 'OPTIONS');

  it.each([
    ['/api/calls', ['GET', 'POST']],
    ['/api/calls/', ['GET', 'POST']],
    ['/api/calls?limit=1', ['GET', 'POST']],
    ['/api/calls/call_1', ['GET']],
    ['/api/calls/stats', ['GET', 'POST']],
    ['/docs/static/css/x.css', ['GET']],
    ['/api', []],
    ['/api/calls/call_1/more', []],
    ['/', []],
  ])('knows what %s understands', (url, methods) => {
    expect(book.allowedAt(url)).toEqual(methods);
  });
});
