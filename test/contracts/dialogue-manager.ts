import { describe, expect, it } from 'vitest';
import type { Transcript } from '#speech/stt.js';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { briefOf, type PlaybookBrief } from '#test/support/playbooks.js';

/** The signal of a turn that is never dropped. */
export const undisturbed = new AbortController().signal;

/** All outputs of a turn. */
export async function thoughtsOf(turn: AsyncIterable<DialogueOutput>): Promise<DialogueOutput[]> {
  const thoughts: DialogueOutput[] = [];
  for await (const thought of turn) thoughts.push(thought);
  return thoughts;
}

const HEARD: readonly Transcript[] = [
  { text: 'yes', confidence: 0.9 },
  { text: 'no', confidence: 0.9 },
  { text: '', confidence: 0 },
  { text: 'the quick brown fox', confidence: 0.5 },
];

/** The contract of every dialogue manager; `make` must return one that needs no network. */
export function dialogueContract(
  name: string,
  make: () => { open(brief: PlaybookBrief): DialogueManager },
): void {
  describe(`the dialogue manager of ${name}`, () => {
    it('opens with words of its own and then listens or ends', async () => {
      const thoughts = await thoughtsOf(make().open(briefOf()).turn({ kind: 'opening' }, undisturbed));
      expect(thoughts[0]).toMatchObject({ kind: 'say' });
      expectWholeTurn(thoughts);
    });

    it('makes whole turns of whatever it hears, and comes to an end', async () => {
      for (const heard of HEARD) {
        const session = make().open(briefOf());
        let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
        for (let turn = 0; turn < 50 && thoughts.at(-1)?.kind !== 'end'; turn++) {
          thoughts = await thoughtsOf(session.turn({ kind: 'heard', transcript: heard }, undisturbed));
          expectWholeTurn(thoughts);
        }
        expect(thoughts.at(-1)).toMatchObject({ kind: 'end' });
      }
    });

    it('speaks to a silent caller and listens again', async () => {
      const session = make().open(briefOf());
      await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      for (const prompts of [1, 2]) {
        const thoughts = await thoughtsOf(session.turn({ kind: 'silence', prompts: prompts }, undisturbed));
        expect(thoughts[0]).toMatchObject({ kind: 'say' });
        expectWholeTurn(thoughts);
      }
    });

    it('never speaks a placeholder', async () => {
      const brief = briefOf({ initialMessage: 'Hello {{name}}, about {{thing|your order}}.' });
      const thoughts = await thoughtsOf(make().open(brief).turn({ kind: 'opening' }, undisturbed));
      const spoken = thoughts.map((thought) => (thought.kind === 'say' ? thought.text : ''));
      expect(spoken.join(' ')).not.toMatch(/\{\{|\}\}/);
    });

    it('decides nothing in a turn that was dropped before it began', async () => {
      const session = make().open(briefOf());
      expect(await thoughtsOf(session.turn({ kind: 'opening' }, AbortSignal.abort()))).toEqual([]);
      const thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      expectWholeTurn(thoughts);
    });

    it('stops in the middle of a turn that is dropped', async () => {
      const session = make().open(briefOf());
      const abort = new AbortController();
      const thoughts: DialogueOutput[] = [];
      for await (const thought of session.turn({ kind: 'opening' }, abort.signal)) {
        thoughts.push(thought);
        abort.abort();
      }
      expect(thoughts).toHaveLength(1);
    });

    it('has an outcome at any time', async () => {
      const session = make().open(briefOf());
      expect(session.outcome()).toMatchObject({ answers: expect.any(Object) });
      await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      await thoughtsOf(session.turn({ kind: 'heard', transcript: HEARD[0]! }, undisturbed));
      const outcome = session.outcome();
      expect(['string', 'object']).toContain(typeof outcome.intent);
      expect([true, false, null]).toContain(outcome.resolutionAchieved);
    });

    it('takes what nobody answers, at any time', async () => {
      const session = make().open(briefOf());
      const hearEverything = () => {
        for (const heard of HEARD) {
          session.note({ kind: 'overheard', transcript: heard });
          session.note({ kind: 'last_words', transcript: heard });
        }
      };
      hearEverything();
      await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      hearEverything();
      expect(session.outcome()).toMatchObject({ answers: expect.any(Object) });
    });

    it('keeps calls apart', async () => {
      const dialogues = make();
      const [first, second] = [dialogues.open(briefOf()), dialogues.open(briefOf())];
      await thoughtsOf(first.turn({ kind: 'opening' }, undisturbed));
      await thoughtsOf(first.turn({ kind: 'heard', transcript: HEARD[1]! }, undisturbed));
      const fresh = await thoughtsOf(dialogues.open(briefOf()).turn({ kind: 'opening' }, undisturbed));
      expect(await thoughtsOf(second.turn({ kind: 'opening' }, undisturbed))).toEqual(fresh);
    });
  });
}

function expectWholeTurn(thoughts: readonly DialogueOutput[]): void {
  expect(['listen', 'end', 'transfer']).toContain(thoughts.at(-1)?.kind);
  for (const thought of thoughts.slice(0, -1)) {
    expect(['say', 'text_delta', 'flush', 'press']).toContain(thought.kind);
    if (thought.kind === 'say') expect(thought.text).toMatch(/\S/);
    if (thought.kind === 'text_delta') expect(thought.text).not.toBe('');
  }
  expect(thoughts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:say|text_delta)$/)]),
  );
}
