import { describe, expect, it } from 'vitest';
import { createRouteMethods } from '#http/requests/route-methods.js';

describe('the methods of paths', () => {
  const routes = createRouteMethods();
  routes.note('/api/calls', ['GET', 'POST']);
  routes.note('/api/calls/:call_id', 'GET');
  routes.note('/api/calls/:call_id/log', 'GET');
  routes.note('/api/calls/stats', 'POST');
  routes.note('/docs/static/*', 'GET');
  routes.note('*', 'OPTIONS');

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
    expect(routes.allowedAt(url)).toEqual(methods);
  });

  it('refuses a method where a path has a name of its own, and nowhere else', () => {
    expect(routes.refuses('GET', '/api/calls/stats?x=1')).toBe(true);
    expect(routes.refuses('POST', '/api/calls/stats/')).toBe(false);
    expect(routes.refuses('DELETE', '/api/calls/call_1')).toBe(false);
    expect(routes.refuses('GET', '/nowhere')).toBe(false);
  });
});
