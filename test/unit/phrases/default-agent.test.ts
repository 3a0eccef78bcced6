import { z } from 'zod';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';
import { testPhrases } from '#test/support/phrases.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';

const shape = {
  /** The replies before. */
  after: z.array(z.string()).default([]),
  /** How the last words of the agent begin, where that matters. */
  says: z.string().default(''),
};

/** What a talk with the agent of a fresh workspace has learnt when the phrase is its last reply. */
testPhrases('default-agent.yaml', shape, async (text, { after, says }) => {
  const session = createPlaybooks().open(briefOf({ playbook: defaultPlaybook, variables: { name: 'Ada' } }));
  let outputs = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const reply of [...after, text]) {
    const transcript = { text: reply, confidence: 0.9 };
    outputs = await thoughtsOf(session.turn({ kind: 'heard', transcript }, undisturbed));
  }
  const said = outputs.flatMap((output) => (output.kind === 'say' ? [output.text] : [])).join(' ');
  return said.startsWith(says) ? written(session.outcome(), outputs) : said;
});

function written(
  { answers, intent, resolutionAchieved }: Outcome,
  outputs: readonly DialogueOutput[],
): string {
  const learnt = Object.entries(answers).map(([name, value]) => `${name} ${value}`);
  const end = [
    intent ?? 'no intent',
    resolutionAchieved ? 'resolved' : 'unresolved',
    ...(outputs.at(-1)?.kind === 'end' ? ['over'] : []),
  ];
  return `${learnt.join(', ') || 'no answer'}; ${end.join(', ')}`;
}
