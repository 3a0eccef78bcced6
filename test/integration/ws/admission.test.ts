import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoppingProblem } from '#calls/live/streams/stopping-problem.js';
import { Problem } from '#kernel/errors/errors.js';
import { SocketClient } from '#test/support/socket-client.js';
import { KEY, READ_KEY, startAudioServer, type AudioServer } from './audio-server.js';

let service: AudioServer;
beforeEach(async () => {
  service = await startAudioServer();
});
afterEach(() => service.server.close());

const start = (parameters: Record<string, string>) => ({
  event: 'start',
  streamSid: 'MZ1',
  start: { streamSid: 'MZ1', callSid: 'CA1', customParameters: parameters },
});

describe('who may open an audio socket', () => {
  it.each([
    ['the API key header', '/ws/stream', { headers: { 'x-api-key': KEY } }, []],
    ['a bearer header', '/ws/stream', { headers: { authorization: `bearer ${KEY}` } }, []],
    ['?token=', `/ws/stream?token=${KEY}`, {}, []],
    ['?api_key=', `/ws/stream?api_key=${KEY}`, {}, []],
    ['the sub-protocol', '/ws/stream', {}, ['bearer', KEY]],
    ['the path', `/ws/stream/agent_1/${KEY}`, {}, []],
    ['a session of the console', '/ws/stream', { headers: { cookie: `callwright_session=${KEY}` } }, []],
  ])('lets %s in and names the call in X-Call-Id', async (_way, path, options, protocols) => {
    const client = await SocketClient.open(service.url + path, options, protocols);
    client.socket.send(Buffer.alloc(640));
    const call = await service.calls.first();
    expect(client.headers['x-call-id']).toBe(call.callId);
    expect(call.callId).toMatch(/^call_/);
    expect(call.opening.right).toMatchObject({ kind: 'principal', principal: { workspace: 'default' } });
    expect(client.socket.protocol).toBe(protocols[0] ?? '');
  });

  it('answers 401 to a bad credential and 403 to one that may only read, before the socket opens', async () => {
    await expect(SocketClient.open(`${service.url}/ws/stream?token=wrong`)).rejects.toThrow('HTTP 401');
    await expect(
      SocketClient.open(`${service.url}/ws/stream/agent_1`, { headers: { 'x-api-key': READ_KEY } }),
    ).rejects.toThrow('HTTP 403');
    expect(service.calls.calls).toEqual([]);
  });

  it('names the field of a bad query, but only to those who may know', async () => {
    await expect(
      SocketClient.open(`${service.url}/ws/stream?sample_rate=96000&token=${KEY}`),
    ).rejects.toThrow('HTTP 400');
    await expect(
      SocketClient.open(`${service.url}/ws/stream?encoding=mulaw&sample_rate=16000&token=${KEY}`),
    ).rejects.toThrow('HTTP 400');
    await expect(SocketClient.open(`${service.url}/ws/stream?sample_rate=96000&token=wrong`)).rejects.toThrow(
      'HTTP 401',
    );
    const response = await service.server.inject(`/ws/stream?token=${KEY}`);
    expect(response.statusCode).toBe(404);
    const refused = await service.server.inject(`/ws/stream?encoding=opus&sample_rate=96000&token=${KEY}`);
    expect(refused.json<object>()).toMatchObject({
      details: [
        { field: 'query.encoding', message: 'must be pcm16 or mulaw' },
        { field: 'query.sample_rate', message: 'must be at most 48000' },
      ],
    });
  });

  it('takes the agent of the path, then of the query, then none', async () => {
    for (const path of ['/ws/stream/agent_7', '/ws/stream?agent_id=agent_8', '/ws/stream']) {
      const client = await SocketClient.open(service.url + path, { headers: { 'x-api-key': KEY } });
      client.socket.send(Buffer.alloc(640));
    }
    await service.calls.until(() => service.calls.calls.length === 3);
    const agents = service.calls.calls.map((call) => call.opening.agentId);
    expect(new Set(agents)).toEqual(new Set(['agent_7', 'agent_8', null]));
  });
});

describe('a socket without a credential', () => {
  it('may bring a token in its start message', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream`);
    expect(client.headers['x-call-id']).toBeUndefined();
    client.say({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    client.say(start({ token: 'st_good' }));
    const call = await service.calls.first();
    expect(call.opening).toMatchObject({ right: { kind: 'token', token: 'st_good' }, providerCallId: 'CA1' });
  });

  it('may bring a key of the API instead of a token', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream`);
    client.say(start({ token: KEY }));
    expect((await service.calls.first()).opening.right).toMatchObject({ kind: 'principal' });
  });

  it('may bring a token in a first text frame of the plain protocol', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream?sample_rate=8000&events=true`);
    client.say({ type: 'start', token: 'st_plain' });
    const call = await service.calls.first();
    expect(call.opening).toMatchObject({
      right: { kind: 'token', token: 'st_plain' },
      line: { sampleRateHz: 8000 },
    });
    await client.until(() => client.texts.length === 1);
    expect(client.texts[0]).toMatchObject({ type: 'session.started', sample_rate: 8000 });
  });

  it('is closed after five seconds, and costs nothing', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream`);
    await service.clock.advance(4_999);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    await service.clock.advance(1);
    expect(await client.closed).toEqual({ code: 1008, reason: 'missing or invalid credentials' });
    await service.empty();
    expect(service.calls.calls).toEqual([]);
    expect(service.clock.armed).toBe(0);
  });

  it('is closed after five seconds too when its stream connects but never starts', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream`);
    client.say({ event: 'connected' });
    client.socket.ping();
    await new Promise((resolve) => client.socket.once('pong', resolve));
    await service.clock.advance(5_000);
    expect((await client.closed).code).toBe(1008);
  });

  it.each([
    ['sound', (client: SocketClient) => client.socket.send(Buffer.alloc(640))],
    ['a start without a token', (client: SocketClient) => client.say(start({}))],
    ['a bad key', (client: SocketClient) => client.say(start({ token: 'wrong' }))],
    [
      'media before the start',
      (client: SocketClient) => client.say({ event: 'media', media: { payload: '/w==' } }),
    ],
    ['another plain message', (client: SocketClient) => client.say({ type: 'text', text: 'hello' })],
    [
      'endless greetings',
      (client: SocketClient) => [...'greetings!!'].forEach(() => client.say({ event: 'connected' })),
    ],
  ])('is closed with 1008 at once for %s', async (_what, act) => {
    const client = await SocketClient.open(`${service.url}/ws/stream`);
    act(client);
    expect((await client.closed).code).toBe(1008);
    expect(service.calls.calls).toEqual([]);
  });

  it.each([
    ['unauthorized', 1008],
    ['agent_not_found', 4404],
    ['invalid_state', 1008],
    ['unavailable', 1013],
    ['stopping', 1001],
  ] as const)('is closed with the code for %s when its call cannot be opened', async (problem, code) => {
    service.calls.beforeOpen = () => {
      if (problem === 'stopping') throw new StoppingProblem();
      throw new Problem(problem, 'The agent or token or time is wrong.');
    };
    const client = await SocketClient.open(`${service.url}/ws/stream/agent_x`);
    client.say(start({ token: 'st_used' }));
    expect((await client.closed).code).toBe(code);
  });
});
