import { createPlaybookThinking } from '../../../src/speech/playbook/playbook-thinking.js';
import type { Thought } from '../../../src/speech/thinking.js';
import { thinkingContract } from '../../contracts/thinking.js';
import { createAskedThinking, listen } from '../../support/asked-thinking.js';
import { createScriptedThinking } from '../../support/scripted-thinking.js';

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
