import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcriptResource } from '#calls/resources/talk-resource.js';
import type { ToolRequest } from '#dialogue/tools/tool-http.js';
import { sleep } from '#kernel/time/clock.js';
import { createWheel } from '#media/pacing/wheel.js';
import { callWithSummary, placeCall, told, wordsOf, type ToldEntry } from '#test/support/call-story.js';
import {
  ModelEmulator,
  type ModelDialect,
  type ModelTurn,
} from '#test/support/emulators/models/model-emulator.js';
import { signedChat } from '#test/support/emulators/models/signed-chat.js';
import { wordErrorRate } from '#test/support/judge.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { TalkingClient } from '#test/support/talking-client.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { loudStretches, readStereoWav, spanned } from '#test/support/wav.js';

const KEY = 'key-of-the-customer';
const SIGNING_SECRET = 'whsec_c2lnbmluZw==';
const SLOW_TOOL_MS = 6_000;
const TOLERANCE_MS = 150;
const CALLEE = '+15550100177';
const DESK = '+15550100178';

/** Longer than any pause in a turn of the agent, which a tool may make. */
const PATIENT = { when: 'agent_stopped', after_ms: 6_500, do: 'say' };
const LINES = [
  "I'd like to move my appointment to next week",
  'the driver was very friendly',
  'my phone stopped working',
  'I have a question about my last bill',
  'please tell the doctor I am late',
];
/** What free recognition gets wrong of them, at the most, as a share of the words. */
const MOST_WORD_ERRORS = 0.35;
const SCRIPT = LINES.map((text, i) =>
  i === 2 ? { when: 'agent_speaking', after_ms: 2_500, do: 'say', text } : { ...PATIENT, text },
);

const LONG =
  'It is booked. Please bring your card, a list of what you take, and somebody who can drive you home afterwards.';
/** What the model answers in each turn of the caller; the second is what it says once its tool has answered. */
const ANSWERS: readonly (readonly ModelTurn[])[] = [
  [
    { text: ['Let me', ' look.'], calls: [{ name: 'find_slot', arguments: { day: 'Tuesday' } }] },
    { text: ['Nine is free.', ' Shall I', ' book it?'] },
  ],
  [{ text: ['I am booking it.'], calls: [{ name: 'book', arguments: {} }] }, { text: [LONG] }],
  [{ text: ['Very well. When shall', ' we remind you?'] }],
  [{ text: ['We will do that. Shall I connect you with the desk?'] }],
  [{ text: ['I will connect you now.'], calls: [{ name: 'transfer', arguments: {} }] }],
  [{ text: ['I am sorry about that. Goodbye.'], calls: [{ name: 'end_call', arguments: {} }] }],
];

interface ChatMessage {
  role: string;
  content?: string | null;
}

/** A customer's server that decides by what it is told, so that a reply prepared in vain changes nothing. */
function decidingServer(): ModelDialect {
  const dialect = signedChat(KEY, SIGNING_SECRET);
  return {
    ...dialect,
    eventsOf(_turn, request) {
      const messages = messagesOf(request.body);
      const turn = messages.filter(({ role }) => role === 'user').length - 2;
      const isBehindTool = messages.at(-1)?.role === 'tool';
      return dialect.eventsOf(ANSWERS[turn]![isBehindTool ? 1 : 0]!, request);
    },
  };
}

const messagesOf = (body: Record<string, unknown>) =>
  (body['messages'] as ChatMessage[]).filter(({ role }) => role !== 'system');

const time = new VirtualClock();
const wheel = createWheel({ clock: time, log: createMemoryLog().log });
const sent: ToolRequest[] = [];
let service: TestService;
let model: ModelEmulator;
let agentId: string;

beforeAll(async () => {
  model = await ModelEmulator.open(decidingServer(), time);
  const personas = join(temporaryFolder(), 'personas');
  mkdirSync(personas);
  const callee = {
    number: CALLEE,
    name: 'Books',
    description: 'Books a visit, and interrupts.',
    script: SCRIPT,
  };
  writeFileSync(join(personas, 'books.json'), JSON.stringify(callee));
  service = await buildTestService({
    time,
    environment: { SANDBOX_PERSONAS_DIR: personas },
    replace: {
      async sendToolRequest(request) {
        sent.push(request);
        if (request.url.endsWith('/book')) await sleep(time, SLOW_TOOL_MS);
        return { status: 200, body: '{"slot":"nine"}' };
      },
    },
  });
  await service.request('PUT', '/api/secrets/dialogue', { value: KEY });
  await service.request('PUT', '/api/secrets/tool_signing', { value: SIGNING_SECRET });
  const tool = (name: string) => ({ name, description: name, url: `https://crm.example/${name}` });
  const { body } = await service.request('POST', '/api/agents', {
    name: 'Reception',
    voice: 'rms',
    ai_provider: 'custom',
    model_settings: { url: model.url, headers: { authorization: 'Bearer {{secret.dialogue}}' } },
    initial_message: 'Hello, this is the clinic. Do you have a minute?',
    system_prompt: 'You book visits.',
    tools: [
      { ...tool('find_slot'), parameters: { type: 'object', properties: { day: { type: 'string' } } } },
      { ...tool('book'), timeout_ms: 10_000, say_while: ['One moment, please.', 'I am still booking.'] },
      { type: 'transfer', destinations: [{ name: 'desk', to: DESK }] },
    ],
  });
  agentId = (body as { id: string }).id;
});

afterAll(async () => {
  await service?.close();
  await model?.close();
});

/** What a model was told, and what it answered to that, as one text of each side. */
function context(): { agent: string; customer: string } {
  const messages = messagesOf(model.last.body);
  const [, ...users] = messages.filter(({ role }) => role === 'user');
  const said = messages.filter(({ role }) => role === 'assistant');
  const joined = (some: readonly ChatMessage[]) =>
    wordsOf(some.map(({ content }) => content ?? '').join(' '));
  return { agent: joined(said), customer: joined(users) };
}

/** The words of a side up to the last that the caller said: what the model was asked on. */
function saidBefore(entries: readonly ToldEntry[]): { agent: string; customer: string } {
  const last = entries.findLastIndex(({ speaker }) => speaker === 'customer');
  const of = (speaker: string) =>
    wordsOf(
      entries
        .slice(0, last + 1)
        .filter((entry) => entry.speaker === speaker)
        .map(({ text }) => text)
        .join(' '),
    );
  return { agent: of('agent'), customer: of('customer') };
}

async function expectRecorded(
  url: string,
  entries: readonly ToldEntry[],
  sides: readonly ('agent' | 'customer')[],
) {
  const sound = readStereoWav(Buffer.from(await (await fetch(url)).arrayBuffer()));
  for (const side of sides) {
    const stretches = loudStretches(sound[side], sound.sampleRateHz);
    const own = entries.filter(({ speaker }) => speaker === side);
    for (const { start_ms: fromMs, end_ms: toMs, text } of own) {
      const heard = spanned(stretches, { fromMs: fromMs - TOLERANCE_MS, toMs: toMs + TOLERANCE_MS });
      expect(Math.abs(heard!.fromMs - fromMs), `start of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
      expect(Math.abs(heard!.toMs - toMs), `end of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
    }
    const untold = stretches.filter(
      ({ fromMs, toMs }) =>
        !own.some((e) => fromMs > e.start_ms - TOLERANCE_MS && toMs < e.end_ms + TOLERANCE_MS),
    );
    expect(untold, `${side} outside of the transcript`).toEqual([]);
  }
}

async function toolsOf(callId: string) {
  const { tools } = await told(service.request, `/api/calls/${callId}/transcript`, transcriptResource);
  return tools;
}

describe('a call of five turns with a language model', () => {
  it('that is spoken: context, transcript and recording are the same, each tool ran once, the line is handed over', async () => {
    sent.length = 0;
    const callId = await placeCall(service.request, { to_number: CALLEE, agent_id: agentId });
    const call = await callWithSummary(service.request, callId);
    const { transcript: entries } = await told(
      service.request,
      `/api/calls/${callId}/transcript`,
      transcriptResource,
    );

    expect(call).toMatchObject({ status: 'completed', ended_reason: 'transferred' });
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard).toHaveLength(LINES.length);
    const errors = wordErrorRate(LINES.join(' '), heard.map(({ text }) => text).join(' '));
    expect(errors, JSON.stringify(heard)).toBeLessThanOrEqual(MOST_WORD_ERRORS);
    const cut = entries.find(({ interrupted }) => interrupted)!;
    expect(cut.text).toMatch(/^I am booking it\. One moment, please\. I am still booking\. It is booked\./);
    expect(cut.text).not.toContain('home afterwards');
    expect(entries.at(-1)?.text).toBe('I will connect you now.');

    expect(context()).toEqual(saidBefore(entries));
    await expectRecorded(call.recording_url!, entries, ['agent', 'customer']);
    expect(sent.map(({ url }) => url)).toEqual(['https://crm.example/find_slot', 'https://crm.example/book']);
    const tools = await toolsOf(callId);
    expect(tools.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'find_slot ok',
      'book ok',
      'transfer ok',
    ]);
    expect(tools[1]!.latency_ms).toBeGreaterThanOrEqual(SLOW_TOOL_MS);
    expect(JSON.stringify([service.logLines, entries, tools])).not.toContain(KEY);
  });

  it('that is typed over an audio socket goes the same way, and on where the line cannot be handed over', async () => {
    sent.length = 0;
    const url = `${service.baseUrl.replace('http', 'ws')}/ws/stream/${agentId}?events=true`;
    const format = { sampleRateHz: 16000, encoding: 'pcm16' } as const;
    const { client, callId } = await TalkingClient.open(url, { key: TEST_KEY, format, wheel });
    const states = () => client.texts.flatMap((event) => (event['state'] ? [event['state']] : []));
    const until = (state: string, count: number) =>
      time.during(client.until(() => states().filter((one) => one === state).length >= count));
    const type = (text: string) => client.say({ type: 'text', text });

    await until('listening', 1);
    type(LINES[0]!);
    await until('listening', 2);
    type(LINES[1]!);
    await time.during(client.until(() => sent.length === 2));
    await time.during(sleep(time, SLOW_TOOL_MS + 3_000));
    type(LINES[2]!);
    await until('listening', 3);
    type(LINES[3]!);
    await until('listening', 4);
    type(LINES[4]!);
    await until('listening', 5);
    type('that is a pity');
    await time.during(client.closed);

    const call = await callWithSummary(service.request, callId);
    const { transcript: entries } = await told(
      service.request,
      `/api/calls/${callId}/transcript`,
      transcriptResource,
    );
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
    expect(entries.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text)).toEqual([
      ...LINES,
      'that is a pity',
    ]);
    expect(entries.find(({ interrupted }) => interrupted)?.text).toMatch(/^I am booking it\./);
    expect(context()).toEqual(saidBefore(entries));
    await expectRecorded(call.recording_url!, entries, ['agent']);
    expect(sent.map(({ url: address }) => address.split('/').at(-1))).toEqual(['find_slot', 'book']);
    expect(JSON.stringify(model.last.body['messages'])).toContain('The transfer failed');
  });
});
