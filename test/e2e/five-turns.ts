import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { transcriptResource } from '#calls/resources/talk-resource.js';
import type { ToolRequest } from '#dialogue/tools/tool-http.js';
import { sleep } from '#kernel/time/clock.js';
import { told, wordsOf, type ToldEntry } from '#test/support/call-story.js';
import {
  ModelEmulator,
  type ModelDialect,
  type ModelTurn,
} from '#test/support/emulators/models/model-emulator.js';
import { signedChat } from '#test/support/emulators/models/signed-chat.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { loudStretches, readStereoWav, spanned } from '#test/support/wav.js';

export const KEY = 'key-of-the-customer';
const SIGNING_SECRET = 'whsec_c2lnbmluZw==';
export const SLOW_TOOL_MS = 6_000;
const TOLERANCE_MS = 150;
export const CALLEE = '+15550100177';
const DESK = '+15550100178';

/** Longer than any pause in a turn of the agent, which a tool may make. */
const PATIENT = { when: 'agent_stopped', after_ms: 6_500, do: 'say' };
/** What the caller says, turn by turn; the third line over the agent. */
export const LINES = [
  "I'd like to move my appointment to next week",
  'the driver was very friendly',
  'my phone stopped working',
  'I have a question about my last bill',
  'please tell the doctor I am late',
];
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

/** A service with an agent that books visits, the customer's server that decides for it, and a callee who talks. */
export interface FiveTurns {
  time: VirtualClock;
  service: TestService;
  model: ModelEmulator;
  agentId: string;
  /** Requests of its tools; `book` takes long. */
  sent: ToolRequest[];
  close(): Promise<void>;
}

export async function openFiveTurns(): Promise<FiveTurns> {
  const time = new VirtualClock();
  const sent: ToolRequest[] = [];
  const model = await ModelEmulator.open(decidingServer(), time);
  const personas = join(temporaryFolder(), 'personas');
  mkdirSync(personas);
  const callee = {
    number: CALLEE,
    name: 'Books',
    description: 'Books a visit, and interrupts.',
    script: SCRIPT,
  };
  writeFileSync(join(personas, 'books.json'), JSON.stringify(callee));
  const service = await buildTestService({
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
  const { id: agentId } = body as { id: string };
  return {
    time,
    service,
    model,
    agentId,
    sent,
    async close() {
      await service.close();
      await model.close();
    },
  };
}

/** What a model was told, and what it answered to that, as one text of each side. */
function contextOf(model: ModelEmulator): { agent: string; customer: string } {
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

/** The model was told just what the transcript says. */
export function expectSameContext(model: ModelEmulator, entries: readonly ToldEntry[]): void {
  expect(contextOf(model)).toEqual(saidBefore(entries));
}

/** The recording holds the voices where the transcript says, and nowhere else. */
export async function expectRecorded(
  url: string,
  entries: readonly ToldEntry[],
  sides: readonly ('agent' | 'customer')[],
) {
  const sound = readStereoWav(Buffer.from(await (await fetch(url)).arrayBuffer()));
  for (const side of sides) {
    const stretches = loudStretches(sound[side], sound.sampleRateHz);
    const own = withoutPauses(entries.filter(({ speaker }) => speaker === side));
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

/** Entries that follow one another at once are one stretch of sound: they are checked as one. */
function withoutPauses(entries: readonly ToldEntry[]): ToldEntry[] {
  const whole: ToldEntry[] = [];
  for (const entry of entries) {
    const before = whole.at(-1);
    if (before === undefined || entry.start_ms - before.end_ms >= TOLERANCE_MS) whole.push(entry);
    else
      whole[whole.length - 1] = { ...entry, start_ms: before.start_ms, text: `${before.text} ${entry.text}` };
  }
  return whole;
}

/** What was said in a call, and which tools were called. */
export async function talkOf({ service }: FiveTurns, callId: string) {
  const { transcript, tools } = await told(
    service.request,
    `/api/calls/${callId}/transcript`,
    transcriptResource,
  );
  return { entries: transcript, tools };
}
