import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CALLEE,
  expectRecorded,
  expectSameContext,
  KEY,
  LINES,
  openFiveTurns,
  SLOW_TOOL_MS,
  talkOf,
  type FiveTurns,
} from '#test/e2e/five-turns.js';
import { callWithSummary, placeCall } from '#test/support/call-story.js';
import { wordErrorRate } from '#test/support/judge.js';

/** What free recognition gets wrong, at the most, as a share of the words. */
const MOST_WORD_ERRORS = 0.35;

let talk: FiveTurns;
beforeAll(async () => {
  talk = await openFiveTurns();
});
afterAll(() => talk?.close());

it('a spoken call with a language model: context, transcript and recording agree, each tool ran once, the line is handed over', async () => {
  const { service, model, agentId, sent } = talk;
  const callId = await placeCall(service.request, { to_number: CALLEE, agent_id: agentId });
  const call = await callWithSummary(service.request, callId);
  const { entries, tools } = await talkOf(talk, callId);

  expect(call).toMatchObject({ status: 'completed', ended_reason: 'transferred' });
  const heard = entries.filter(({ speaker }) => speaker === 'customer');
  expect(heard).toHaveLength(LINES.length);
  const errors = wordErrorRate(LINES.join(' '), heard.map(({ text }) => text).join(' '));
  expect(errors, JSON.stringify(heard)).toBeLessThanOrEqual(MOST_WORD_ERRORS);
  const cut = entries.find(({ interrupted }) => interrupted)!;
  expect(cut.text).toMatch(/^I am booking it\. One moment, please\. I am still booking\. It is booked\./);
  expect(cut.text).not.toContain('home afterwards');
  expect(entries.at(-1)?.text).toBe('I will connect you now.');

  expectSameContext(model, entries);
  await expectRecorded(call.recording_url!, entries, ['agent', 'customer']);
  expect(sent.map(({ url }) => url)).toEqual(['https://crm.example/find_slot', 'https://crm.example/book']);
  expect(tools.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'find_slot ok',
    'book ok',
    'transfer ok',
  ]);
  expect(tools[1]!.latency_ms).toBeGreaterThanOrEqual(SLOW_TOOL_MS);
  expect(JSON.stringify([service.logLines, entries, tools])).not.toContain(KEY);
});
