import { describe, expect, it } from 'vitest';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import { importTool } from '#dialogue/tools/vendor-tool-import.js';
import { agentTools, validStoredTools } from '#dialogue/tools/tool-definition.js';
import { ToolHttpError, type ToolAnswer, type ToolRequest } from '#dialogue/tools/tool-http.js';
import { FakeClock } from '#test/support/fake-clock.js';

const FIND_SLOT = {
  name: 'find_slot',
  description: 'Free visits on a day',
  parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
  url: 'https://crm.example/{site}/slots?key={{secret.crm_key}}',
  headers: { Authorization: 'Bearer {{secret.crm_key}}', 'X-Caller': '{{caller_number|unknown}}' },
  constants: { site: 'north', origin: 'call' },
  save: { slot: '$.slots[0]' },
};

const secretNamed = (name: string) => (name === 'crm_key' ? [[name, 'k/ey 1'] as const] : []);

interface Bench {
  memory: TalkMemory;
  sent: ToolRequest[];
  toolbox: CallToolbox;
  run(name: string, args: unknown): Promise<{ status: string; text: string; effect?: unknown }>;
}

function benchOf(
  tools: readonly unknown[],
  answers: readonly (ToolAnswer | Error)[] = [],
  isReachable = true,
): Bench {
  const sent: ToolRequest[] = [];
  const left = [...answers];
  const memory = new TalkMemory({ caller_number: '+14155550123' });
  const toolbox = new CallToolbox(validStoredTools(tools), {
    memory,
    clock: new FakeClock(),
    timeZone: 'Europe/Berlin',
    isReachable,
    callId: 'call_1',
    filler: () => 'One moment.',
    send: async (request) => {
      sent.push(request);
      const answer = left.shift() ?? { status: 200, body: '' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    secrets: (names) => Promise.resolve(Object.fromEntries(names.flatMap(secretNamed))),
    sign: ({ body }) => Promise.resolve({ 'webhook-signature': `v1,${body.length}` }),
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const run: Bench['run'] = (name, args) =>
    toolbox.run({ id: 'x', name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }).done;
  return { memory, sent, toolbox, run };
}

describe('a tool that is a request', () => {
  it('sends its arguments and constants, signed, with the secret where it belongs', async () => {
    const bench = benchOf([FIND_SLOT], [{ status: 200, body: '{"slots":["nine"]}' }]);

    expect(await bench.run('find_slot', { day: '2026-12-01' })).toMatchObject({
      status: 'ok',
      text: '{"slots":["nine"]}',
    });
    const body = '{"day":"2026-12-01","origin":"call"}';
    expect(bench.sent).toEqual([
      {
        method: 'POST',
        url: 'https://crm.example/north/slots?key=k%2Fey%201',
        headers: {
          authorization: 'Bearer k/ey 1',
          'x-caller': '+14155550123',
          'content-type': 'application/json',
          'x-call-id': 'call_1',
          'idempotency-key': 'call_1:1',
          'webhook-signature': `v1,${body.length}`,
        },
        body,
        timeoutMs: 5_000,
      },
    ]);
    expect(bench.memory.variables['slot']).toBe('nine');
  });

  it('puts what the path does not take into the query of a GET', async () => {
    const bench = benchOf([
      {
        name: 'look',
        description: 'x',
        method: 'GET',
        url: 'https://crm.example/a/{id}?b=1',
        parameters: { type: 'object' },
      },
    ]);
    await bench.run('look', { id: 'a/b', deep: { x: 1 } });

    expect(bench.sent[0]).toMatchObject({
      method: 'GET',
      url: 'https://crm.example/a/a%2Fb?b=1&deep=%7B%22x%22%3A1%7D',
      body: null,
    });
  });

  it.each(['..', '.'])('sends nothing where an argument would be the segment %j of the path', async (id) => {
    const url = 'https://crm.example/people/{id}/delete';
    const bench = benchOf([{ name: 'look', description: 'x', url, parameters: { type: 'object' } }]);
    expect(await bench.run('look', { id })).toMatchObject({ status: 'failed' });
    expect(bench.sent).toEqual([]);
  });

  it.each([
    ['{"day": ', 'The arguments are no JSON object.'],
    ['[]', 'The arguments are no JSON object.'],
    ['', "The arguments do not fit. It must have required property 'day'."],
    [{ day: 'soon' }, 'The arguments do not fit. day must match format "date".'],
  ])('is not run with arguments %j', async (args, problem) => {
    const bench = benchOf([FIND_SLOT]);

    expect(await bench.run('find_slot', args)).toEqual({
      status: 'refused',
      text: `${problem} The tool was not run.`,
    });
    expect(bench.sent).toEqual([]);
  });

  it('tells the model of a failure, without a secret', async () => {
    const bench = benchOf([FIND_SLOT], [{ status: 503, body: 'key k/ey 1 is busy' }]);

    expect(await bench.run('find_slot', { day: '2026-12-01' })).toEqual({
      status: 'failed',
      text: 'The tool failed with status 503. key [secret] is busy',
    });
  });

  it('is not run without its secret', async () => {
    const bench = benchOf([{ ...FIND_SLOT, headers: { a: '{{secret.other}}' } }]);

    expect(await bench.run('find_slot', { day: '2026-12-01' })).toMatchObject({
      status: 'failed',
      text: 'The tool is not set up: there is no secret other.',
    });
    expect(bench.sent).toEqual([]);
  });

  const unreached = new ToolHttpError('nobody answers there', { reason: 'unreachable', hadAnswer: false });
  const broken = new ToolHttpError('the answer broke off', { reason: 'cut', hadAnswer: true });
  it.each([
    ['is repeated where that is safe', true, unreached, 2],
    ['is not repeated where that is not safe', false, unreached, 1],
    ['is not repeated once there was an answer', true, broken, 1],
  ])('%s', async (_, safe, error, times) => {
    const bench = benchOf([{ ...FIND_SLOT, safe_to_repeat: safe }], [error]);
    await bench.run('find_slot', { day: '2026-12-01' });

    expect(bench.sent).toHaveLength(times);
    expect(new Set(bench.sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('gives the model at most 8,000 characters', async () => {
    const bench = benchOf([FIND_SLOT], [{ status: 200, body: 'x'.repeat(9_000) }]);

    expect((await bench.run('find_slot', { day: '2026-12-01' })).text).toHaveLength(8_000);
  });
});

describe('built-in tools', () => {
  it('are all on, but for a transfer to no one', () => {
    expect(benchOf([]).toolbox.offered.map(({ name }) => name)).toEqual([
      'end_call',
      'press_keys',
      'call_back',
      'do_not_call',
      'leave_message',
      'note',
    ]);
  });

  it('can be switched off', () => {
    const { toolbox } = benchOf([{ type: 'end_call', enabled: false }]);

    expect(toolbox.offered.map(({ name }) => name)).not.toContain('end_call');
  });

  it('connect with whom the agent names', async () => {
    const { run, toolbox } = benchOf([
      {
        type: 'transfer',
        destinations: [
          { name: 'desk', to: '+1 415 555 0100' },
          { name: 'doctor', to: '+14155550101' },
        ],
      },
    ]);

    expect(toolbox.transferTo).toEqual({ to: '+14155550100' });
    expect(await run('transfer', { destination: 'doctor' })).toMatchObject({
      effect: { kind: 'transfer', to: '+14155550101' },
    });
    expect(await run('transfer', { destination: 'mars' })).toMatchObject({ status: 'refused' });
  });

  it('tell the model to brief a person who is asked first', async () => {
    const desk = { name: 'desk', to: '+14155550100', mode: 'warm', briefing: 'A caller.', ring_seconds: 30 };
    const { run, toolbox } = benchOf([{ type: 'transfer', destinations: [desk] }]);
    const warm = { briefing: 'A caller.', ringSeconds: 30, stay: false };

    expect(toolbox.transferTo).toEqual({ to: '+14155550100', warm });
    expect(toolbox.offered.find(({ name }) => name === 'transfer')!.parameters).toMatchObject({
      properties: { briefing: { type: 'string' } },
    });
    expect(await run('transfer', { briefing: 'Anna wants a cake.' })).toMatchObject({
      effect: { kind: 'transfer', to: '+14155550100', warm: { ...warm, briefing: 'Anna wants a cake.' } },
    });
  });

  it('agree on a call in the zone of the caller', async () => {
    const bench = benchOf([]);

    expect(await bench.run('call_back', { at: '2026-12-01T15:00' })).toMatchObject({ status: 'ok' });
    expect(bench.memory.outcome().followUp).toEqual({
      kind: 'call_back',
      at: Date.UTC(2026, 11, 1, 14),
      timeZone: 'Europe/Berlin',
      said: 'Tuesday, December 1 at 3:00 PM',
    });
  });

  it.each([
    ['2020-01-01T10:00', 'That time has passed.'],
    ['soon', 'That is no time such as 2026-12-01T15:00.'],
    ['2036-01-01T10:00', 'That is too far away.'],
  ])('agree on no call at %s', async (at, told) => {
    expect(await benchOf([]).run('call_back', { at })).toEqual({ status: 'refused', text: told });
  });

  it('promise no call to a hidden number', async () => {
    expect(await benchOf([], [], false).run('call_back', {})).toMatchObject({ status: 'refused' });
  });

  it('keep that no more calls are wanted, whatever is agreed on later', async () => {
    const bench = benchOf([]);
    await bench.run('do_not_call', {});
    await bench.run('call_back', {});

    expect(bench.memory.outcome().followUp).toEqual({ kind: 'suppress' });
  });

  it('note messages and facts', async () => {
    const bench = benchOf([]);
    await bench.run('leave_message', { message: 'I am late' });
    await bench.run('note', { name: 'order', value: '17' });

    expect(bench.memory.outcome()).toMatchObject({
      answers: { message: 'I am late', order: '17' },
      inOwnWords: ['message'],
    });
    expect(bench.memory.variables['order']).toBe('17');
  });
});

describe('tools of a request', () => {
  const issuesOf = (tools: unknown) =>
    (agentTools.safeParse(tools).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    );

  it.each<[string, unknown, string]>([
    ['no address', { ...FIND_SLOT, url: 'ftp://x' }, '0.url is no https address with a fixed host'],
    [
      'a host that is a variable',
      { ...FIND_SLOT, url: 'https://{{host}}/' },
      '0.url is no https address with a fixed host',
    ],
    ['broken braces', { ...FIND_SLOT, url: 'https://a.example/{{a b}}' }, '0.url holds braces'],
    [
      'a header of ours',
      { ...FIND_SLOT, headers: { 'Idempotency-Key': 'x' } },
      '0.headers.Idempotency-Key is set by',
    ],
    [
      'a schema that is none',
      { ...FIND_SLOT, parameters: { type: 'object', properties: { a: { type: 'text' } } } },
      '0.parameters is no JSON Schema',
    ],
    [
      'a schema of a list',
      { ...FIND_SLOT, parameters: { type: 'array' } },
      '0.parameters must have "type": "object"',
    ],
    ['the name of a built-in', { ...FIND_SLOT, name: 'end_call' }, '0.name is the name of a built-in tool'],
    ['a time limit of a minute', { ...FIND_SLOT, timeout_ms: 60_000 }, '0.timeout_ms'],
    ['an unknown kind', { type: 'magic' }, '0.type'],
    ['an unknown field', { ...FIND_SLOT, urll: 'x' }, '0 '],
  ])('are refused with %s', (_, tool, issue) => {
    expect(issuesOf([tool]).join('; ')).toContain(issue);
  });

  it('are refused when a name is there twice', () => {
    expect(issuesOf([FIND_SLOT, FIND_SLOT])).toEqual(['1.name is there twice']);
  });

  it('are understood in the shape of Vapi', () => {
    const { tool, differences } = importTool({
      type: 'function',
      async: true,
      function: { name: 'find_slot', description: 'Free visits', parameters: { type: 'object' } },
      server: { url: 'https://crm.example/slots', timeoutSeconds: 45, secret: 's' },
      messages: [{ type: 'request-start', content: 'One moment.' }],
    });

    expect(tool).toEqual({
      name: 'find_slot',
      description: 'Free visits',
      parameters: { type: 'object' },
      url: 'https://crm.example/slots',
      timeout_ms: 30_000,
      say_while: ['One moment.'],
    });
    expect(differences).toEqual([
      'async',
      'server.secret',
      'the body is the arguments alone, and the whole answer is the result',
    ]);
    expect(issuesOf([tool])).toEqual([]);
  });

  it('are understood in the shape of Retell', () => {
    const { tool, differences } = importTool({
      type: 'custom',
      name: 'find_slot',
      description: 'Free visits',
      url: 'https://crm.example/slots',
      method: 'GET',
      query_params: { site: 'north east' },
      parameters: { type: 'object' },
      timeout_ms: 120_000,
      speak_after_execution: true,
      args_at_root: true,
      response_variables: { slot: '$.slot' },
    });

    expect(tool).toMatchObject({
      url: 'https://crm.example/slots?site=north%20east',
      timeout_ms: 30_000,
      save: { slot: '$.slot' },
    });
    expect(differences).toEqual(['speak_after_execution']);
    expect(issuesOf([tool])).toEqual([]);
  });

  const DESK = {
    name: 'desk',
    to: '+14155550100',
    mode: 'warm',
    briefing: 'A cake.',
    ring_seconds: 40,
    stay: true,
  };
  it.each([
    [{ type: 'endCall' }, { type: 'end_call' }],
    [
      {
        type: 'transferCall',
        destinations: [{ type: 'number', number: '+14155550100', description: 'desk' }],
      },
      { type: 'transfer', destinations: [{ name: 'desk', to: '+14155550100', description: 'desk' }] },
    ],
    [
      {
        type: 'transfer_call',
        name: 'hand',
        transfer_destination: { type: 'predefined', number: '+14155550100' },
      },
      { type: 'transfer', destinations: [{ name: 'destination 1', to: '+14155550100' }] },
    ],
    [
      { type: 'transfer', comment: 'at night', destinations: [DESK] },
      { type: 'transfer', destinations: [DESK] },
    ],
  ])('%j is a built-in tool', (raw, own) => {
    expect(importTool(raw).tool).toEqual(own);
    expect(issuesOf([raw])).toEqual([]);
  });
});
