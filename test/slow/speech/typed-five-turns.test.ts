import { afterAll, beforeAll, expect, it } from 'vitest';
import { sleep } from '#kernel/time/clock.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { callWithSummary } from '#test/support/call-story.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { TalkingClient } from '#test/support/talking-client.js';
import { TEST_KEY } from '#test/support/test-service.js';
import {
  expectRecorded,
  expectSameContext,
  LINES,
  openFiveTurns,
  SLOW_TOOL_MS,
  talkOf,
  type FiveTurns,
} from '#test/e2e/five-turns.js';

const PAUSE_MS = 1_000;

let talk: FiveTurns;
beforeAll(async () => {
  talk = await openFiveTurns();
});
afterAll(() => talk?.close());

// The same is spoken in `test/slow/speech/five-turns-with-model.test.ts`.
it('a typed call with a language model: context, transcript and recording agree, also where no line can be handed over', async () => {
  const { service, model, agentId, sent, time } = talk;
  const pacingTimer = createPacingTimer({ clock: time, log: createMemoryLog().log });
  const url = `${service.baseUrl.replace('http', 'ws')}/ws/stream/${agentId}?events=true`;
  const format = { sampleRateHz: 16000, encoding: 'pcm16' } as const;
  const { client, callId } = await TalkingClient.open(url, { key: TEST_KEY, format, pacingTimer });
  /** Until so many turns of the agent are over, whole or cut. */
  const agentHasSaid = (turns: number) =>
    time.during(
      client.until(() => {
        const said = client.texts.filter(
          (event) => event['type'] === 'transcript.final' && event['speaker'] === 'agent',
        );
        return said.length >= turns;
      }),
    );
  /** After a pause, so that two turns are two stretches of sound. */
  const type = async (text: string) => {
    await time.during(sleep(time, PAUSE_MS));
    client.say({ type: 'text', text });
  };

  await agentHasSaid(1);
  await type(LINES[0]!);
  await agentHasSaid(2);
  await type(LINES[1]!);
  await time.during(client.until(() => sent.length === 2));
  await time.during(sleep(time, SLOW_TOOL_MS + 3_000));
  await type(LINES[2]!);
  await agentHasSaid(4);
  await type(LINES[3]!);
  await agentHasSaid(5);
  await type(LINES[4]!);
  await agentHasSaid(7);
  await type('that is a pity');
  await time.during(client.closed);

  const call = await callWithSummary(service.request, callId);
  const { entries } = await talkOf(talk, callId);
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect(entries.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text)).toEqual([
    ...LINES,
    'that is a pity',
  ]);
  expect(entries.find(({ interrupted }) => interrupted)?.text).toMatch(/^I am booking it\./);
  expectSameContext(model, entries);
  await expectRecorded(call.recording_url!, entries, ['agent']);
  expect(sent.map(({ url: address }) => address.split('/').at(-1))).toEqual(['find_slot', 'book']);
  expect(JSON.stringify(model.last.body['messages'])).toContain('The transfer failed');
});
