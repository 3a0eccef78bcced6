import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, wordsOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { drawn } from '#test/support/tier.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { ASKING_ONCE, storyOf, type Story } from '#test/e2e/sandbox-calls.js';

const ASKS = '+15550100010';
const SAYS_UH_HUH = '+15550100012';
const SPEAKS_SLOWLY = '+15550100013';
const SPEAKS_SPANISH = '+15550100014';
const VOICEMAIL = '+15550100019';
const PUTS_ON_HOLD = '+15550100021';
const FROM_A_FILE = '+15550100200';
/** Characters who are understood in the end: two of them in each run. */
const UNDERSTOOD = drawn(2, [
  ['asks who is calling, and to hear it again', ASKS],
  ['says "uh-huh" while the agent speaks', SAYS_UH_HUH],
  ['speaks slowly', SPEAKS_SLOWLY],
  ['plays music before coming back', PUTS_ON_HOLD],
  ['was written into a file', FROM_A_FILE],
] as const);
const CALLED = [...UNDERSTOOD.map(([, number]) => number), SPEAKS_SPANISH, VOICEMAIL];
const isCalled = (number: (typeof CALLED)[number]) => CALLED.includes(number);

const PERSONA_FILE = `
number: '${FROM_A_FILE}'
name: Coughs on a poor line
voice: awb
line: { noise: { kind: pink, snr_db: 25 }, lost_percent: 1 }
script:
  - { when: at_once, after_ms: 900, do: play, sound: cough }
  - { after_ms: 600, do: say, text: yes I have time }
  - { do: say, text: yes please }
thereafter: { do: hang_up }
`;

const MESSAGE = 'Hello {{name}}, please call the dental clinic back. Goodbye.';

let folder: string;
let service: TestService;
let stories: Map<string, Story>;
/** Of a call whose agent leaves a message. */
let message: Story;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'personas-'));
  await writeFile(join(folder, 'poor-line.yaml'), PERSONA_FILE);
  service = await buildTestService({
    time: new VirtualClock(),
    environment: { SANDBOX_PERSONAS_DIR: folder },
  });
  const { body } = await service.request('POST', '/api/agents', ASKING_ONCE);
  const agent_id = (body as { id: string }).id;
  const called = CALLED.map(async (to_number) => {
    const id = await placeCall(service.request, { to_number, agent_id });
    return [to_number, await storyOf(service, id)] as const;
  });
  const caller = { ...ASKING_ONCE, voicemail: { action: 'leave_message', message: MESSAGE } };
  const { body: leaver } = await service.request('POST', '/api/agents', caller);
  const leaving = placeCall(service.request, {
    to_number: VOICEMAIL,
    agent_id: (leaver as { id: string }).id,
    customer_data: { name: 'Robin' },
  });
  stories = new Map(await Promise.all(called));
  message = await storyOf(service, await leaving);
});

afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(UNDERSTOOD)('whoever %s is understood in the end', (_, number) => {
  const { call, entries } = stories.get(number)!;
  expect(call.status).toBe('completed');
  expect(call.metrics.resolution_achieved, JSON.stringify(entries)).toBe(true);
});

it.runIf(isCalled(ASKS))('a question is heard as such, and answered before ours is asked again', () => {
  const { entries } = stories.get(ASKS)!;
  const at = entries.findIndex(({ text }) => wordsOf(text) === 'who is this');
  expect(entries[at + 1]).toMatchObject({ speaker: 'agent', interrupted: false });
});

it.runIf(isCalled(SAYS_UH_HUH))('"uh-huh" is no interruption', () => {
  const { entries } = stories.get(SAYS_UH_HUH)!;
  expect(entries.filter(({ interrupted }) => interrupted)).toEqual([]);
});

it('another language is kept as not understood, and never guessed at', () => {
  const { call, entries } = stories.get(SPEAKS_SPANISH)!;
  const heard = entries.filter(({ speaker }) => speaker === 'customer');
  expect(heard.length).toBeGreaterThanOrEqual(2);
  expect(heard.every(({ text, confidence }) => text === '[not understood]' && confidence === 0)).toBe(true);
  expect(call.metrics.resolution_achieved).toBe(false);
});

it('an answering machine is let go', () => {
  expect(stories.get(VOICEMAIL)!.call).toMatchObject({ status: 'completed', ended_reason: 'voicemail' });
});

it('a message is left after the beep, if the agent has one', () => {
  const { call, entries } = message;
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'voicemail' });
  const greeting = entries.findLast(({ speaker }) => speaker === 'customer')!;
  const said = entries.at(-1)!;
  expect(said).toMatchObject({ speaker: 'agent', interrupted: false });
  expect(said.text).toBe('Hello Robin, please call the dental clinic back. Goodbye.');
  expect(said.start_ms).toBeGreaterThan(greeting.end_ms);
});
