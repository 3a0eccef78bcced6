import { expect, it } from 'vitest';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import { validStoredTools } from '#dialogue/tools/tool-definition.js';
import { SLOW_TOOLS } from '#test/support/clinic-tools.js';
import { startModelTalk } from '#test/support/model-talks.js';
import { RandomTalk, runRandomTalks } from '#test/support/random-talk.js';
import { cases } from '#test/support/tier.js';

const TALKS = cases(150, 300, 2_000);

const TOOLS = validStoredTools(SLOW_TOOLS);

const CALLS = [
  ['find_slot', { day: 'Tuesday' }],
  ['find_slot', { day: 7 }],
  ['find_slot', '{"day": '],
  ['book', {}],
  ['book', {}],
  ['no_such_tool', {}],
  ['note', { name: 'day', value: 'Tuesday' }],
  ['transfer', {}],
  ['press_keys', { keys: '12w#' }],
  ['end_call', {}],
] as const;

it('keeps random talks well formed, runs each tool once, and comes to an end', async () => {
  const sent = await runRandomTalks(
    TALKS,
    (seed) =>
      new RandomTalk(
        seed,
        ({ clock, send, answer }) => {
          const memory = new TalkMemory({});
          const toolbox = new CallToolbox(TOOLS, {
            memory,
            clock,
            timeZone: 'UTC',
            isReachable: true,
            callId: `call_${seed}`,
            filler: () => 'One moment.',
            send,
            secrets: () => Promise.resolve({}),
            sign: () => Promise.resolve({}),
            onFailure: (error) => expect.unreachable(String(error)),
          });
          return startModelTalk({ clock, memory, toolbox, answer });
        },
        CALLS,
      ),
  );
  expect(sent).toBeGreaterThan(TALKS / 4);
});
