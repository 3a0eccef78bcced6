import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeCall } from '#test/support/call-story.js';
import { hasJudge, hearWav, wordErrorRate } from '#test/support/judge.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { drawn } from '#test/support/tier.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { CLEAR_AGENT, NAME, personaNumbered, storyOf } from '#test/e2e/sandbox-calls.js';

/** The word errors of the judge about customers, as a share. Measured: 0. */
const MOST_CUSTOMER_ERRORS = 0.1;
/** Agents (null: the built-in one), and the judge's word errors about their voices: rms 0.07, slt 0.29 to 0.36. */
const AGENTS = [
  ['the clearer voice', CLEAR_AGENT, 0.2],
  ['the usual voice', null, 0.5],
] as const;

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock() });
});
afterAll(() => service?.close());

// What else is true of such a call is told by `test/e2e/spoken-call.test.ts`.
describe.skipIf(!hasJudge)('an independent recogniser (needs pocketsphinx of Debian)', () => {
  it.each(drawn(1, AGENTS))(
    'hears on the channels of a call what its transcript says, with %s',
    async (_, agent, mostAgentErrors) => {
      const made = agent && (await service.request('POST', '/api/agents', agent));
      const id = await placeCall(service.request, {
        to_number: personaNumbered(1).number,
        customer_data: { name: NAME },
        ...(made && { agent_id: (made.body as { id: string }).id }),
      });
      const { call, entries } = await storyOf(service, id);
      const path = join(temporaryFolder(), 'call.wav');
      await writeFile(path, Buffer.from(await (await fetch(call.recording_url!)).arrayBuffer()));
      const sides = [
        ['customer', MOST_CUSTOMER_ERRORS],
        ['agent', mostAgentErrors],
      ] as const;
      // Listening to a minute takes half of one; the channels differ by their speaker alone.
      for (const side of drawn(1, sides)) {
        const [speaker, most] = side;
        const channel = sides.indexOf(side);
        const said = entries.filter((entry) => entry.speaker === speaker).map(({ text }) => text);
        const heard = (await hearWav(path, { channel }))!;
        expect(wordErrorRate(said.join(' '), heard), `${speaker}: ${heard}`).toBeLessThanOrEqual(most);
      }
    },
  );
});
