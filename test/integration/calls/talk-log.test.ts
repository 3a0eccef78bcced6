import { describe, expect, it } from 'vitest';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import { endingTransactions } from '#calls/endings/ending-store.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { TalkWriter } from '#calls/talk/talk-writer.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

async function talkingRig() {
  const rig = await CallRig.started();
  return { rig, call: await rig.talking() };
}

describe('what happens in a talk', () => {
  it.each([true, false])(
    'is logged and announced once, when the database loses answers; transcribed: %s',
    async (isKept) => {
      const { rig, call } = await talkingRig();
      const startedAt = rig.clock.wallMs();
      const tool = {
        id: 'tool_1',
        name: 'look_up',
        arguments: '{}',
        status: 'ok',
        result: '',
        startedAt,
        latencyMs: 0,
      } as const;
      const request = {
        turn: 1,
        provider: 'openai',
        model: 'm',
        inputTokens: null,
        cachedInputTokens: null,
        outputTokens: null,
        firstTokenMs: null,
        startedAt,
        failure: 'overloaded',
      };
      const talk = new TalkWriter(call.id, { store: rig.store, clock: rig.clock, log: rig.log.log });
      rig.store.losesAnswersOf = [
        talkTransactions.addTool,
        talkTransactions.addModelUse,
        talkTransactions.noteOnce,
      ];
      // What happens twice in one millisecond is two entries.
      for (const repeat of [1, 2]) {
        talk.addTool({ ...tool, id: `tool_${repeat}` }, { startMs: 0, isKept });
        talk.addModelUse(request);
      }
      talk.addReplaced({ leg: 'speaking', from: 'a', to: 'b', failure: 'silent', inSentence: false });
      talk.addLanguage('de-DE');
      await rig.settled(talk.settled());
      const log = await rig.callService.calls.events(PRINCIPAL, call.id);
      const talked = log
        .map(({ type }) => type)
        .filter((type) => type !== 'created' && type !== 'state_changed');
      expect(talked.toSorted()).toEqual([
        'language_changed',
        'model_failed',
        'model_failed',
        'provider_replaced',
        'tool_called',
        'tool_called',
      ]);
      const announced = await rig.allEventTypes(call.id);
      expect(announced.filter((type) => type === 'call.tool_called')).toHaveLength(2);
      expect(rig.log.lines.map(({ msg }) => msg)).not.toContain('part of a talk was not stored');
    },
  );

  it('has one handover, also when that is written again', async () => {
    const { rig, call } = await talkingRig();
    const links = { recordingUrl: 'r', transcriptUrl: 't' };
    const contexts = createTxContexts({ clock: rig.clock, links: () => links });
    for (const _time of [1, 2]) {
      const handover = { callId: call.id, to: '+14155550100', context: contexts.now(call.id) };
      await rig.store.write(endingTransactions.storeHandover, handover);
      await rig.pass(250);
    }
    const log = await rig.callService.calls.events(PRINCIPAL, call.id);
    expect(log.filter(({ type }) => type === 'transferred')).toHaveLength(1);
  });
});
