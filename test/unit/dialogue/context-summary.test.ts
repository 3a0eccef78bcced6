import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#dialogue/llm/language-model.js';
import { estimateTokens } from '#dialogue/prompt/tokens.js';
import { finish, text, type ScriptedAnswer } from '#test/support/answering-model.js';
import { settle } from '#test/support/fake-clock.js';
import { spokenIn, startModelTalk, type ModelTalk } from '#test/support/model-talks.js';
import { startPlaybookTalk } from '#test/support/playbook-talks.js';

const MOST_TOKENS = 600;
const SUMMARY = 'The caller is called Zebra and wants a visit.';

const isForSummary = ({ system }: ModelRequest) => system.includes('Sum it up');
const tokensOf = (request: ModelRequest) => estimateTokens(JSON.stringify(request.messages) + request.system);

/** A talk of long sentences with a model that has little room; its summaries are as the test says. */
function longTalk(summary: () => ScriptedAnswer): ModelTalk {
  const settings = {
    temperature: null,
    maxOutputTokens: null,
    reasoningEffort: null,
    maxContextTokens: MOST_TOKENS,
  };
  return startModelTalk({
    settings,
    answer: (request) =>
      isForSummary(request)
        ? summary()
        : `That is noted, and here is a longer sentence about it. ${'So it is. '.repeat(8)}`,
  });
}

async function talkFor(talk: Pick<ModelTalk, 'turn' | 'hear'>, turns: number): Promise<void> {
  await talk.turn({ kind: 'opening' });
  await talk.hear('my name is Zebra and I would like a visit');
  for (let turn = 1; turn < turns; turn += 1) {
    await talk.hear(`here is fact number ${turn} about the visit that I would like to have`);
    await settle();
  }
}

type Asked = Pick<ModelTalk, 'model'>;

const summariesOf = ({ model }: Asked) => model.requests.filter(isForSummary);
const answersOf = ({ model }: Asked) => model.requests.filter((request) => !isForSummary(request));

describe('a call that grows too long for its model', () => {
  it('is summed up from its beginning, each turn once, and goes on with the summary', async () => {
    const talk = longTalk(() => SUMMARY);
    await talkFor(talk, 20);

    const summaries = summariesOf(talk);
    expect(summaries.length).toBeGreaterThan(1);
    expect(summaries.length).toBeLessThan(10);
    const summed = summaries.map(({ messages }) => JSON.stringify(messages));
    expect(summed.filter((words) => words.includes('my name is Zebra'))).toHaveLength(1);
    expect(summed[1]).toContain(`Before: ${SUMMARY}`);

    const last = answersOf(talk).at(-1)!;
    expect(last.messages[0]).toMatchObject({ role: 'user', text: expect.stringContaining(SUMMARY) });
    expect(JSON.stringify(last.messages)).not.toContain('my name is Zebra');
    expect(JSON.stringify(last.messages)).not.toContain('left out');
    for (const request of answersOf(talk)) expect(tokensOf(request)).toBeLessThan(MOST_TOKENS * 1.5);
    expect(talk.reports.models).toHaveLength(talk.model.requests.length);
  });

  it('waits for no summary: turns are left out without one until it is there', async () => {
    const talk = longTalk(() => [60_000, text(SUMMARY), finish]);
    await talkFor(talk, 12);
    const first = answersOf(talk).at(-1)!.messages[0]!;
    expect(summariesOf(talk)).toHaveLength(1);
    expect(first).toMatchObject({ role: 'user', text: expect.stringContaining('left out') });
    talk.dialogue.close();
    await settle();
    expect(talk.clock.armed).toBe(0);
  });

  it.each<[string, () => ScriptedAnswer]>([
    ['fails', () => [text('Half of it'), new Error('away')]],
    ['says nothing', () => [finish]],
  ])('is cut without a summary where the model %s', async (_what, summary) => {
    const talk = longTalk(summary);
    await talkFor(talk, 12);
    expect(spokenIn(await talk.hear('and what is my name'))).toContain('That is noted');
    const { messages } = answersOf(talk).at(-1)!;
    expect(JSON.stringify(messages)).not.toContain('Half of it');
    expect(messages[0]).toMatchObject({ text: expect.stringContaining('left out') });
    expect(summariesOf(talk)).toHaveLength(2);
  });

  it('keeps a summary within bounds', async () => {
    const talk = longTalk(() => 'word '.repeat(5_000));
    await talkFor(talk, 8);
    expect(answersOf(talk).at(-1)!.messages[0]).toMatchObject({ role: 'user' });
    const [first] = answersOf(talk).at(-1)!.messages;
    expect(first?.role === 'user' && first.text.length).toBeLessThan(2_000);
  });

  it('is sent as it is while there is room', async () => {
    const talk = startModelTalk({ answer: () => 'Yes.' });
    await talkFor(talk, 20);
    expect(summariesOf(talk)).toEqual([]);
    expect(answersOf(talk).at(-1)!.messages[0]).toEqual({ role: 'user', text: '(The call begins.)' });
  });
});

describe('a playbook whose talks grow too long for its model', () => {
  const talkStep = (otherwise: string) => ({
    kind: 'talk',
    text: 'How can I help?',
    goal: 'Help.',
    max_turns: 10,
    otherwise,
  });
  const playbook = {
    start: 'first',
    steps: { first: talkStep('second'), second: talkStep('end'), end: { kind: 'end', text: 'Goodbye.' } },
  };

  it('is summed up like a free talk, through its steps', async () => {
    const talk = startPlaybookTalk({
      playbook,
      maxContextTokens: 1_000,
      answer: (request) =>
        isForSummary(request) ? SUMMARY : `That is noted. ${'So it is. '.repeat(8)} What else?`,
    });
    await talkFor(talk, 18);
    expect(summariesOf(talk).length).toBeGreaterThan(0);
    const [first] = answersOf(talk).at(-1)!.messages;
    expect(first).toMatchObject({ role: 'user', text: expect.stringContaining(SUMMARY) });
    expect(JSON.stringify(answersOf(talk).at(-1))).not.toContain('my name is Zebra');
    expect(answersOf(talk).at(-1)?.call).toMatchObject({ step: 'second' });
    expect(talk.reports.models).toHaveLength(talk.model.requests.length);
  });

  it('leaves nothing behind when the call ends', async () => {
    const talk = startPlaybookTalk({
      playbook,
      maxContextTokens: 1_000,
      answer: (request) =>
        isForSummary(request) ? [60_000, finish] : `That is noted. ${'So it is. '.repeat(20)}`,
    });
    await talkFor(talk, 9);
    expect(summariesOf(talk)).toHaveLength(1);
    talk.dialogue.close?.();
    await settle();
    expect(talk.clock.armed).toBe(0);
  });
});
