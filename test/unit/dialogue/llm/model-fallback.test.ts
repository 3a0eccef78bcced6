import { beforeEach, describe, expect, it } from 'vitest';
import { modelWithFallback } from '#dialogue/llm/model-fallback.js';
import { ModelHealth } from '#dialogue/llm/model-health.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { answerOf, modelRequest } from '#test/support/models-rig.js';
import { answering, failing, ScriptedModel, type ModelStep } from '#test/support/scripted-model.js';

const MINUTE_MS = 60_000;
const never: ModelStep[] = [10 * MINUTE_MS];
const accepted: ModelStep = { type: 'accepted' };

let clock: FakeClock;
let health: ModelHealth;
let memory: ReturnType<typeof createMemoryLog>;
beforeEach(() => {
  clock = new FakeClock();
  memory = createMemoryLog();
  health = new ModelHealth({ clock, log: memory.log });
});

const model = (...scripts: ModelStep[][]) => new ScriptedModel('first', clock, ...scripts);
const spare = (...scripts: ModelStep[][]) => new ScriptedModel('second', clock, ...scripts);

/** What the first of the list that can answer says, after so much time. */
async function ask(sources: ScriptedModel[], forMs = 0, request = modelRequest()) {
  const answer = answerOf(modelWithFallback(sources, { clock, health }), request);
  await clock.advance(forMs);
  return answer;
}

describe('the limits of a model', () => {
  it.each<[string, ModelStep[], number]>([
    ['does not accept the request', never, 3_000],
    ['accepts it and says nothing', [accepted, ...never], 5_000],
    ['falls silent after its first word', [accepted, { type: 'text', text: 'One' }, ...never], 4_000],
    ['falls silent after it has named a tool', [accepted, { type: 'tool_named' }, ...never], 4_000],
    [
      'thinks and says nothing',
      [accepted, ...Array.from({ length: 60 }, (): ModelStep[] => [1_000, { type: 'working' }]).flat()],
      5_000,
    ],
    [
      'goes on and on',
      [
        accepted,
        ...Array.from({ length: 60 }, (): ModelStep[] => [{ type: 'text', text: 'and ' }, 1_000]).flat(),
      ],
      30_000,
    ],
  ])('pass for one that %s', async (_what, script, afterMs) => {
    const answer = answerOf(modelWithFallback([model(script)], { clock, health }));
    let settled = false;
    void answer.then(() => (settled = true));
    await clock.advance(afterMs - 1);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect(await answer).toMatchObject({ error: { failure: 'timeout' }, finish: null });
  });

  it('do not pass while arguments of a tool come', async () => {
    const working: ModelStep[] = Array.from({ length: 6 }, (): ModelStep[] => [
      3_000,
      { type: 'working' },
    ]).flat();
    const answer = await ask(
      [model([accepted, { type: 'tool_named' }, ...working, ...answering('Done.')])],
      20_000,
    );
    expect(answer).toMatchObject({ text: 'Done.', error: null });
  });
});

describe('a list of models', () => {
  it('is answered by its first, and says by which', async () => {
    const { text, finish } = await ask([model(answering('Hello.')), spare(answering('No.'))]);
    expect(text).toBe('Hello.');
    expect(finish?.answeredBy).toEqual({ provider: 'first', model: 'm' });
  });

  it.each<[string, ModelStep[][], number, number]>([
    ['asked once more where that may help', [[failing('unavailable', { retryable: true })]], 2, 0],
    ['not asked again where it does not', [[failing('bad_request')]], 1, 0],
    [
      'not asked again where too little time is left',
      [[3_001, failing('unavailable', { retryable: true })]],
      1,
      3_001,
    ],
    [
      'waited for as long as it says',
      [[failing('rate_limited', { retryable: true, retryAfterMs: 900 })]],
      2,
      900,
    ],
    ['not waited for longer than a moment', [[failing('rate_limited', { retryAfterMs: 34_400 })]], 1, 0],
    ['left when it does not accept the request', [never], 1, 3_000],
  ])('has a first model that is %s, before the next one answers', async (_what, scripts, asked, forMs) => {
    const first = model(...scripts);
    const answer = await ask([first, spare(answering('Here.'))], forMs);
    expect(answer).toMatchObject({ text: 'Here.', error: null });
    expect(first.asked).toBe(asked);
  });

  it('never says a thing twice: after a piece, the answer fails and the next turn is the next model’s', async () => {
    const first = model([accepted, { type: 'text', text: 'I have ' }, failing('cut', { retryable: true })]);
    const second = spare(answering('Here.'));
    const cut = await ask([first, second]);
    expect(cut).toMatchObject({ text: 'I have ', error: { failure: 'cut' }, finish: null });
    expect([first.asked, second.asked]).toEqual([1, 0]);
    expect((await ask([first, second])).text).toBe('Here.');
  });

  it('takes a source that merely ends for one that was cut', async () => {
    expect((await ask([model([accepted, { type: 'text', text: 'One' }])])).error).toMatchObject({
      failure: 'cut',
    });
  });

  it('is tried as a whole when all of it is down', async () => {
    const first = model([failing('quota')], answering('Back.'));
    const second = spare([failing('quota')]);
    expect((await ask([first, second])).error).toMatchObject({ failure: 'quota' });
    expect((await ask([first, second])).text).toBe('Back.');
    expect(health.outages().map(({ provider }) => provider)).toEqual(['second']);
  });

  it('ends without an error when it is aborted while it waits', async () => {
    const stop = new AbortController();
    const first = model([failing('rate_limited', { retryable: true, retryAfterMs: 900 })]);
    const answer = answerOf(modelWithFallback([first], { clock, health }), modelRequest(), stop.signal);
    await clock.advance(100);
    stop.abort();
    expect(await answer).toMatchObject({ parts: [], error: null });
    expect(clock.armed).toBe(0);
  });
});

describe('a model that is down', () => {
  it.each<[string, ModelStep, number | null]>([
    ['asked too often', failing('rate_limited', { retryAfterMs: 20_000 }), 20_000],
    ['asked much too often', failing('rate_limited', { retryAfterMs: 3_600_000 }), MINUTE_MS],
    ['out of money', failing('quota'), 5 * MINUTE_MS],
    ['not known', failing('unknown_model'), 5 * MINUTE_MS],
    ['given a wrong key', failing('refused_credentials'), null],
  ])('is left out, and not asked, when it is %s', async (_what, failure, forMs) => {
    const first = model([failure], answering('Back.'));
    const list = [first, spare(answering('Here.'))];
    await ask(list);
    expect(health.outages()).toMatchObject([
      { provider: 'first', untilMs: forMs === null ? null : clock.wallMs() + forMs },
    ]);
    await clock.advance((forMs ?? 60 * MINUTE_MS) - 1);
    expect((await ask(list)).text).toBe('Here.');
    expect(first.asked).toBe(1);
    await clock.advance(1);
    expect((await ask(list)).text).toBe(forMs === null ? 'Here.' : 'Back.');
  });

  it('is not left out for what was wrong with one request', async () => {
    const first = model([failing('context_too_long')], answering('Fine.'));
    const list = [first, spare(answering('Here.'))];
    expect((await ask(list)).text).toBe('Here.');
    expect((await ask(list)).text).toBe('Fine.');
  });

  it('is asked in the background, more and more seldom, and comes back when it answers', async () => {
    const dead = [failing('unavailable')];
    const first = model(dead, dead, dead, answering('Pong.'));
    const list = [first, spare(answering('Here.'))];
    await ask(list);
    const asked: number[] = [];
    for (const afterMs of [4_999, 1, 9_999, 1, 19_999]) {
      await clock.advance(afterMs);
      asked.push(first.asked);
    }
    expect(asked).toEqual([1, 2, 2, 3, 3]);
    expect((await ask(list)).text).toBe('Here.');
    await clock.advance(1);
    expect(health.outages()).toEqual([]);
    expect((await ask(list)).text).toBe('Pong.');
    expect(memory.lines.map(({ msg }) => msg)).toEqual([
      'a language model is left out',
      'a language model is used again',
    ]);
  });

  it('is believed after its time where it is a customer’s, who would take a probe for a call', async () => {
    const first = model([failing('refused_credentials')], answering('Back.'));
    first.usesOperatorsAccount = false;
    first.mayBeProbed = false;
    const list = [first, spare(answering('Here.'))];
    await ask(list);
    await clock.advance(MINUTE_MS);
    expect(first.asked).toBe(1);
    expect((await ask(list)).text).toBe('Back.');
  });

  it('is no longer asked for when the process stops', async () => {
    await ask([model([failing('unavailable')]), spare(answering('Here.'))]);
    health.close();
    expect(clock.armed).toBe(0);
  });
});
