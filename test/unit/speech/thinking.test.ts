import { createPlaybookThinking } from '#playbook/playbook-dialogue.js';
import type { Thought } from '#dialogue/dialogue-manager.js';
import { thinkingContract } from '#test/contracts/thinking.js';
import { createAskedThinking, listen } from '#test/support/asked-thinking.js';
import { createScriptedThinking } from '#test/support/scripted-thinking.js';

thinkingContract('the playbook', () => createPlaybookThinking());

const SCRIPT: Thought[][] = [
  [{ kind: 'say', text: 'Hello.', interruptible: true }, listen],
  [{ kind: 'say', text: 'I see.', interruptible: true }, listen],
  [{ kind: 'say', text: 'Goodbye.', interruptible: true }, { kind: 'end' }],
];
thinkingContract('the script', () => createScriptedThinking(SCRIPT));
thinkingContract('the script that writes down what it is asked', () =>
  createAskedThinking(SCRIPT, { asked: [], cut: [], overheard: [], think: async () => {} }),
);
