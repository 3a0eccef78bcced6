import { describe, expect, it } from 'vitest';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Toolbox } from '#dialogue/tools/toolbox.js';
import { callOf, finish, text } from '#test/support/answering-model.js';
import { settle } from '#test/support/fake-clock.js';
import {
  spokenIn,
  startModelTalk,
  type ModelTalk,
  type ModelTalkOptions,
} from '#test/support/model-talks.js';
import { startPlaybookTalk } from '#test/support/playbook-talks.js';

const QUESTION = 'what is free on Tuesday';
const BOOK = { name: 'book', description: 'Books a visit', parameters: { type: 'object' } };
const TALK_STEP = {
  start: 'talk',
  steps: {
    talk: {
      kind: 'talk',
      text: '{{initial_message}}',
      goal: 'Help.',
      tools: ['book'],
      max_turns: 20,
      otherwise: 'end',
    },
    end: { kind: 'end', text: 'Goodbye.' },
  },
};

type Options = Pick<ModelTalkOptions, 'answer' | 'preparesReplies'>;
/** `runs`: a sign for each time that the tool was run. */
type Talk = Pick<ModelTalk, 'model' | 'clock' | 'reports' | 'turn'> & {
  dialogue: DialogueManager;
  runs: unknown[];
};

function freeTalk(options: Options): Talk {
  const runs: unknown[] = [];
  const toolbox: Toolbox = {
    offered: [BOOK],
    transferTo: null,
    run(call) {
      runs.push(call.id);
      return { call, sayWhile: [], done: Promise.resolve({ status: 'ok', text: 'Booked.' }) };
    },
  };
  return { ...startModelTalk({ ...options, toolbox }), runs };
}

function talkStep(options: Options): Talk {
  const talk = startPlaybookTalk({
    answer: () => 'All right.',
    ...options,
    playbook: TALK_STEP,
    tools: [{ ...BOOK, url: 'https://crm.example/book' }],
  });
  return { ...talk, runs: talk.sent };
}

/** The caller says this and pauses, and may go on. */
async function pauseAfter(talk: Talk, words: string, forMs = 300): Promise<void> {
  talk.dialogue.note({ kind: 'hearing', words, hasPaused: false });
  talk.dialogue.note({ kind: 'hearing', words, hasPaused: true });
  await talk.clock.advance(forMs);
}

/** A turn for what the caller has said; what it says, and how long that took until its first word. */
async function answerTo(talk: Talk, words: string) {
  const began = talk.clock.monotonicMs();
  const outputs: DialogueOutput[] = [];
  let firstMs: number | null = null;
  const deciding = (async () => {
    const input = { kind: 'heard', transcript: { text: words, confidence: 0.9 } } as const;
    for await (const output of talk.dialogue.turn(input, new AbortController().signal)) {
      firstMs ??= talk.clock.monotonicMs() - began;
      outputs.push(output);
    }
  })();
  let isOver = false;
  void deciding.then(() => (isOver = true));
  for (let passedMs = 0; !isOver && passedMs < 10_000; passedMs += 50) {
    await talk.clock.advance(50);
    await settle();
  }
  await deciding;
  return { said: spokenIn(outputs), firstMs, outputs };
}

const SLOW_ANSWER = [1_000, text('Nine is free.'), finish];

describe.each([
  ['a free talk', freeTalk],
  ['a talk step', talkStep],
])('a reply that is prepared on the words so far, in %s', (_kind, start) => {
  async function openTalk(options: Options = {}): Promise<Talk> {
    const talk = start(options);
    await talk.turn({ kind: 'opening' });
    return talk;
  }

  it('is there sooner when these were all, whatever marks and capitals they are written with', async () => {
    const talk = await openTalk({ answer: () => SLOW_ANSWER });
    await pauseAfter(talk, QUESTION, 800);
    const { said, firstMs } = await answerTo(talk, 'What is free on Tuesday?');

    expect(said).toBe('Nine is free.');
    expect(firstMs).toBeLessThanOrEqual(400);
    expect(talk.model.requests).toHaveLength(1);

    await answerTo(talk, 'and on Wednesday');
    const messages = talk.model.requests[1]!.messages;
    expect(messages.at(-3)).toEqual({ role: 'user', text: 'What is free on Tuesday?' });
    expect(messages.at(-2)).toEqual({ role: 'assistant', text: 'Nine is free.', toolCalls: [] });
  });

  it('takes as long as ever where none is prepared', async () => {
    const talk = await openTalk({ answer: () => SLOW_ANSWER, preparesReplies: false });
    await pauseAfter(talk, QUESTION, 800);
    expect(await answerTo(talk, QUESTION)).toMatchObject({ said: 'Nine is free.', firstMs: 1_000 });
    expect(talk.model.requests).toHaveLength(1);
  });

  it('is aborted, never heard and never kept where the caller goes on; its use counts', async () => {
    const talk = await openTalk({
      answer: (_, index) => (index === 0 ? [text('Wrong! '), 5_000, text('Wrong.'), finish] : 'Right.'),
    });
    await pauseAfter(talk, QUESTION);
    talk.dialogue.note({ kind: 'hearing', words: `${QUESTION} and`, hasPaused: false });
    await settle();
    expect(talk.reports.models).toHaveLength(1);

    const { said } = await answerTo(talk, `${QUESTION} and on Friday`);
    expect(said).toBe('Right.');
    await answerTo(talk, 'thanks what else');
    expect(JSON.stringify(talk.model.requests.slice(1))).not.toContain('Wrong');
    expect(talk.reports.models).toHaveLength(3);
  });

  it('is given up where the final words are others, though nothing more was told of them', async () => {
    const talk = await openTalk({ answer: (_, index) => (index === 0 ? 'Wrong.' : 'Right.') });
    await pauseAfter(talk, 'what is free on choose day');
    expect(await answerTo(talk, QUESTION)).toMatchObject({ said: 'Right.' });
    expect(talk.reports.models).toHaveLength(2);
  });

  it('runs no tool before the turn is certain, and each then once', async () => {
    const answer: ModelTalkOptions['answer'] = (request) =>
      request.messages.at(-1)?.role === 'tool' ? 'It is booked.' : [callOf('book'), finish];
    const talk = await openTalk({ answer });
    const { runs } = talk;
    await pauseAfter(talk, 'book Tuesday', 2_000);
    expect(talk.model.requests).toHaveLength(1);
    expect(runs).toEqual([]);

    talk.dialogue.note({ kind: 'hearing', words: 'book Tuesday no', hasPaused: false });
    expect(await answerTo(talk, 'book Tuesday no Wednesday')).toMatchObject({ said: 'It is booked.' });
    expect(runs).toHaveLength(1);

    await pauseAfter(talk, 'book another one', 2_000);
    expect(runs).toHaveLength(1);
    expect(await answerTo(talk, 'book another one')).toMatchObject({ said: 'It is booked.' });
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['please do not call me again', 'no more calls'],
    ['goodbye', 'a goodbye'],
    ['who is this', 'a question that is ours'],
    ['', 'nothing'],
  ])('is none for "%s": %s', async (words) => {
    const talk = await openTalk();
    await pauseAfter(talk, words, 1_000);
    expect(talk.model.requests).toHaveLength(0);
    // Asked and given back: the words have decided nothing.
    expect(await answerTo(talk, 'what is free')).toMatchObject({ said: 'All right.' });
  });

  it('is asked for three times in a turn at the most', async () => {
    const talk = await openTalk();
    for (let words = 1; words <= 6; words += 1) await pauseAfter(talk, 'so '.repeat(words).trim());
    expect(talk.model.requests).toHaveLength(3);
    await answerTo(talk, 'so what is free');
    await pauseAfter(talk, 'and now');
    expect(talk.model.requests).toHaveLength(5);
  });

  it('that has failed is asked for anew', async () => {
    const talk = await openTalk({
      answer: (_, index) => (index === 0 ? [new Error('away')] : 'Nine is free.'),
    });
    await pauseAfter(talk, QUESTION);
    expect(await answerTo(talk, QUESTION)).toMatchObject({ said: 'Nine is free.' });
  });

  it('leaves nothing behind when the call ends', async () => {
    const talk = await openTalk({ answer: () => [60_000, finish] });
    await pauseAfter(talk, QUESTION, 100);
    talk.dialogue.close?.();
    await pauseAfter(talk, 'again', 300);
    talk.dialogue.close?.();
    await settle();
    expect(talk.clock.armed).toBe(0);
  });
});

describe('a reply that a talk step would prepare', () => {
  const steps = {
    ...TALK_STEP.steps,
    talk: {
      ...TALK_STEP.steps.talk,
      collect: { day: { kind: 'date', required: true, confirm: true } },
      exits: [{ when: { known: ['day'] }, next: 'again' }],
      max_turns: 2,
    },
    again: { kind: 'ask', text: 'Anything else?', expect: { kind: 'yes_no' }, otherwise: 'end', next: 'end' },
  };
  const save = [callOf('save_answers', { day: '2026-12-01' }), finish];

  it.each<[string, string[], number]>([
    ['while a value waits for a yes', ['on the first of December'], 1],
    ['while a question of the playbook waits', ['on the first of December', 'yes'], 1],
    ['when the step is over with the next turn', ['what is free', 'and when'], 2],
  ])('is none %s', async (_when, said, requests) => {
    const talk = startPlaybookTalk({
      playbook: { ...TALK_STEP, steps },
      tools: [],
      answer: () => (said[0]!.startsWith('on') ? save : 'Nine is free.'),
    });
    await talk.open();
    for (const words of said) await talk.hear(words);
    expect(talk.model.requests).toHaveLength(requests);
    await pauseAfter({ ...talk, runs: [] }, 'that would be fine for me');
    expect(talk.model.requests).toHaveLength(requests);
  });
});
