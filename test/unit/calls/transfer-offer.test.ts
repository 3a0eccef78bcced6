import { describe, expect, it } from 'vitest';
import { offerRequest, OfferDialogue } from '#calls/live/transfers/offer-dialogue.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { AgentRequest } from '#providers/agent-request.js';
import { createPlaybooks, briefOf } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const thinking = createPlaybooks({ clock: { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) } });

/** A person has picked up who is asked whether they take a call. */
async function offered(briefing: string | null = 'Anna {{name}} is on the line.') {
  const { playbook: _playbook, ...brief } = briefOf({ playbook: null, systemPrompt: 'Sell cakes.' });
  const wanted = offerRequest(
    { brief, playbook: null, tools: [{ type: 'note' }] } as unknown as AgentRequest,
    briefing,
  );
  expect(wanted).toMatchObject({ tools: [], brief: { systemPrompt: null } });
  const dialogue = new OfferDialogue(thinking.open({ ...wanted.brief, playbook: wanted.playbook! }));
  const turn = (input: Parameters<typeof dialogue.turn>[0]) => thoughtsOf(dialogue.turn(input, undisturbed));
  const hear = (text: string) => turn({ kind: 'heard', transcript: { text, confidence: 1 } });
  return { dialogue, turn, hear, opening: wordsOf(await turn({ kind: 'opening' })) };
}

function wordsOf(outputs: readonly DialogueOutput[]): string {
  return outputs.flatMap((output) => (output.kind === 'say' ? [output.text] : [])).join(' ');
}

describe('a person who is asked whether they take a call', () => {
  it('hears who is on the line, or that somebody is', async () => {
    expect((await offered('Anna is here.')).opening).toBe(
      'Hello, there is a call for you. Anna is here. To take the call, press 1 or say yes.',
    );
    expect((await offered(null)).opening).toContain('Somebody would like to talk with you.');
  });

  it.each(['yes', 'yes please', '1', 'sure', 'okay put them through yes'])(
    'takes it with %s',
    async (words) => {
      const { hear } = await offered();
      expect((await hear(words)).at(-1)).toEqual({ kind: 'join' });
    },
  );

  it.each(['no', '2', 'no thanks', "I don't have time"])('refuses it with %s', async (words) => {
    const { hear } = await offered();
    expect((await hear(words)).at(-1)).toEqual({ kind: 'end' });
  });

  it('is asked again, and again, and not for ever', async () => {
    const { hear } = await offered();
    const lasts = [];
    for (const words of ['hello', 'the weather is nice', 'the weather is nice', 'the weather is nice'])
      lasts.push((await hear(words)).at(-1)!.kind);
    expect(lasts.at(-1)).toBe('end');
    expect(lasts).not.toContain('join');
  });

  it('is told when the caller is gone', async () => {
    const { hear, turn } = await offered();
    await hear('yes');
    expect(await turn({ kind: 'transfer_failed' })).toMatchObject([
      { text: 'I am sorry, the caller has hung up. Goodbye.' },
      { kind: 'end' },
    ]);
  });

  it('may say to the caller what they like: it is no wish to be left alone', async () => {
    const { dialogue, hear } = await offered();
    await hear('yes');
    const transcript = { text: "please don't call me again", confidence: 1 };
    dialogue.note({ kind: 'overheard', transcript });
    expect(dialogue.outcome().followUp ?? null).toBeNull();
    const before = await offered();
    await before.hear("please don't call me again");
    expect(before.dialogue.outcome().followUp).toEqual({ kind: 'suppress' });
  });
});
