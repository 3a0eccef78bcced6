import { describe, expect, it } from 'vitest';
import type { Heard } from '#speech/stt.js';
import type { AgentBrief, Thinking, Thought } from '#dialogue/dialogue-manager.js';

/** An agent to think for. */
export function briefOf(brief: Partial<AgentBrief> = {}): AgentBrief {
  return {
    agentName: 'Receptionist',
    initialMessage: 'Hello {{name}}, this is the clinic.',
    systemPrompt: null,
    model: null,
    language: 'en-US',
    playbook: null,
    variables: {},
    ...brief,
  };
}

/** A turn that nobody drops. */
export const undisturbed = new AbortController().signal;

/** Everything that is thought in a turn. */
export async function thoughtsOf(turn: AsyncIterable<Thought>): Promise<Thought[]> {
  const thoughts: Thought[] = [];
  for await (const thought of turn) thoughts.push(thought);
  return thoughts;
}

const HEARD: readonly Heard[] = [
  { text: 'yes', confidence: 0.9 },
  { text: 'no', confidence: 0.9 },
  { text: '', confidence: 0 },
  { text: 'the quick brown fox', confidence: 0.5 },
];

/** What every way of thinking promises; `make` must give one that needs no network. */
export function thinkingContract(name: string, make: () => Thinking): void {
  describe(`the thinking of ${name}`, () => {
    it('opens with words of its own and then listens or ends', async () => {
      const thoughts = await thoughtsOf(make().open(briefOf()).begin(undisturbed));
      expect(thoughts[0]).toMatchObject({ kind: 'say' });
      expectWholeTurn(thoughts);
    });

    it('makes whole turns of whatever it hears, and comes to an end', async () => {
      for (const heard of HEARD) {
        const session = make().open(briefOf());
        let thoughts = await thoughtsOf(session.begin(undisturbed));
        for (let turn = 0; turn < 50 && thoughts.at(-1)?.kind !== 'end'; turn++) {
          thoughts = await thoughtsOf(session.reply(heard, undisturbed));
          expectWholeTurn(thoughts);
        }
        expect(thoughts.at(-1)).toEqual({ kind: 'end' });
      }
    });

    it('speaks to a silent caller and listens again', async () => {
      const session = make().open(briefOf());
      await thoughtsOf(session.begin(undisturbed));
      for (const prompts of [1, 2]) {
        const thoughts = await thoughtsOf(session.nudge(prompts, undisturbed));
        expect(thoughts[0]).toMatchObject({ kind: 'say' });
        expectWholeTurn(thoughts);
      }
    });

    it('never speaks a placeholder', async () => {
      const brief = briefOf({ initialMessage: 'Hello {{name}}, about {{thing|your order}}.' });
      const thoughts = await thoughtsOf(make().open(brief).begin(undisturbed));
      const spoken = thoughts.map((thought) => (thought.kind === 'say' ? thought.text : ''));
      expect(spoken.join(' ')).not.toMatch(/\{\{|\}\}/);
    });

    it('thinks nothing in a turn that was dropped before it began', async () => {
      const session = make().open(briefOf());
      expect(await thoughtsOf(session.begin(AbortSignal.abort()))).toEqual([]);
      const thoughts = await thoughtsOf(session.begin(undisturbed));
      expectWholeTurn(thoughts);
    });

    it('stops in the middle of a turn that is dropped', async () => {
      const session = make().open(briefOf());
      const abort = new AbortController();
      const thoughts: Thought[] = [];
      for await (const thought of session.begin(abort.signal)) {
        thoughts.push(thought);
        abort.abort();
      }
      expect(thoughts).toHaveLength(1);
    });

    it('has an outcome at any time', async () => {
      const session = make().open(briefOf());
      expect(session.outcome()).toMatchObject({ answers: expect.any(Object) });
      await thoughtsOf(session.begin(undisturbed));
      await thoughtsOf(session.reply(HEARD[0]!, undisturbed));
      const outcome = session.outcome();
      expect(['string', 'object']).toContain(typeof outcome.intent);
      expect([true, false, null]).toContain(outcome.resolutionAchieved);
    });

    it('takes what nobody answers, at any time', async () => {
      const session = make().open(briefOf());
      const hearEverything = () => {
        for (const heard of HEARD) {
          session.overheard?.(heard);
          session.lastReply?.(heard);
        }
      };
      hearEverything();
      await thoughtsOf(session.begin(undisturbed));
      hearEverything();
      expect(session.outcome()).toMatchObject({ answers: expect.any(Object) });
    });

    it('keeps calls apart', async () => {
      const thinking = make();
      const [first, second] = [thinking.open(briefOf()), thinking.open(briefOf())];
      await thoughtsOf(first.begin(undisturbed));
      await thoughtsOf(first.reply(HEARD[1]!, undisturbed));
      const fresh = await thoughtsOf(thinking.open(briefOf()).begin(undisturbed));
      expect(await thoughtsOf(second.begin(undisturbed))).toEqual(fresh);
    });
  });
}

function expectWholeTurn(thoughts: readonly Thought[]): void {
  expect(['listen', 'end', 'transfer']).toContain(thoughts.at(-1)?.kind);
  for (const thought of thoughts.slice(0, -1)) {
    expect(thought).toMatchObject({ kind: 'say', text: expect.stringMatching(/\S/) });
  }
}
