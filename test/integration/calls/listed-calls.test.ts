import { expect, it } from 'vitest';
import { CallRig } from '#test/support/call-rig.js';
import { once } from '#test/support/call-story.js';
import { PRINCIPAL } from '#test/support/principal.js';

it('a call is the same in a list as alone, while it goes on and afterwards', async () => {
  const rig = await CallRig.open();
  await rig.callService.start();
  const call = await rig.talking();
  const conversation = rig.conversations.at(-1)!;
  const entry = { confidence: 1, interrupted: false };
  const both = async () => {
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    const page = { cursor: null, limit: 1, wholeTranscripts: true };
    const { items } = await rig.callService.views.list({ workspace: PRINCIPAL.workspace }, page);
    const { recording_url: _signed, ...listed } = items[0]!;
    expect(resource).toMatchObject(listed);
    return listed.metrics;
  };
  expect(await both()).toMatchObject({ speaker_changes: null, ai_response_time: null });
  conversation.observer.onEntry({ ...entry, speaker: 'agent', text: 'Hello.', startMs: 20, endMs: 900 });
  conversation.observer.onEntry({ ...entry, speaker: 'customer', text: 'Hi.', startMs: 950, endMs: 990 });
  await rig.pass(100);
  expect(await both()).toMatchObject({ speaker_changes: 1, ai_response_time: null });
  conversation.observer.onTurn({
    turn: 1,
    endOfTurnMs: 600,
    sttMs: 10,
    thinkMs: 1,
    speakMs: 30,
    totalMs: 650,
    soundedAtMs: 2_000,
    interrupted: false,
  });
  await rig.pass(100);
  expect(await both()).toMatchObject({ response_latency_ms: 650, ai_response_time: 650 });
  conversation.end({ by: 'agent' });
  await rig.reaches(call.id, 'completed');
  // The analysis may come between the two.
  expect(await once(both)).toMatchObject({ response_latency_ms: 650, resolution_achieved: true });
});
