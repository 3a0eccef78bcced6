import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

const GREET = { kind: 'say', text: 'Hello.', next: 'ask' };
const END = { kind: 'end', text: 'Goodbye.' };
const ASK = {
  kind: 'ask',
  text: 'Will you come?',
  expect: { kind: 'yes_no' },
  answers: { yes: 'end', no: 'end' },
  otherwise: 'end',
};
const STEPS = { greet: GREET, ask: ASK, end: END };
const KINDS = 'say, reply, ask, talk, tool, press, branch, set, end, transfer, suppress or call_back';

it.each<[string, object, string[]]>([
  [
    'a misspelt field',
    { ...STEPS, end: { ...END, sumary: 'x' } },
    [
      'steps.end.sumary is not known here, where there may be: kind, text, intent, resolution_achieved, summary',
    ],
  ],
  [
    'a kind that there is not',
    { ...STEPS, greet: { ...GREET, kind: 'speak' } },
    [`steps.greet.kind must be ${KINDS}`],
  ],
  ['no kind', { ...STEPS, greet: { text: 'Hello.' } }, [`steps.greet.kind must be ${KINDS}`]],
  [
    'a name that is none',
    { ...STEPS, 'ask-day': END },
    ['steps.ask-day is not a name such as ask_slot: small letters, digits and _, at most 64'],
  ],
  [
    'a day that is none',
    { ...STEPS, ask: { ...ASK, expect: { kind: 'date', earliest: 'tomorrow' } } },
    ['steps.ask.expect.earliest is no day such as today, today+14 or 2026-12-31'],
  ],
  ['an empty text', { ...STEPS, greet: { ...GREET, text: '' } }, ['steps.greet.text holds no word to say']],
  [
    'talk without end, and not for what follows from that',
    { ...STEPS, greet: { ...GREET, next: 'greet' } },
    ['steps.greet.next leads back to this step without an answer, so the call would never end'],
  ],
])('a playbook is refused for %s', async (_what, steps, faults) => {
  const { status, body } = await service.ask('POST', '/api/agents', {
    name: 'Wrong',
    playbook: { start: 'greet', steps },
  });
  expect(status).toBe(400);
  const { details } = body as unknown as { details: { field: string; message: string }[] };
  expect(details.map(({ field, message }) => `${field} ${message}`)).toEqual(
    faults.map((fault) => `playbook.${fault}`),
  );
});

it('a playbook that was saved before there was a check is shown, and its agent can be changed', async () => {
  const older = {
    start: 'greet',
    steps: { ...STEPS, greet: { ...GREET, tone: 'warm' } },
  } as unknown as Playbook;
  const saved = { name: 'Older', initial_message: 'Hello.', playbook: older };
  const { id } = await service.agents.create(DEFAULT_WORKSPACE, saved, () => null);

  expect(await service.ask('GET', `/api/agents/${id}`)).toMatchObject({
    status: 200,
    body: { playbook: older },
  });
  const list = await service.ask('GET', '/api/agents');
  expect(list.body.data).toContainEqual(expect.objectContaining({ id, playbook: older }));
  const changed = await service.ask('PATCH', `/api/agents/${id}`, { name: 'Newer' });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Newer', playbook: older } });
});
