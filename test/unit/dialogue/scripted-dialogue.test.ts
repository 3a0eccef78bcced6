import { createPlaybooks } from '#test/support/playbooks.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { dialogueContract } from '#test/contracts/dialogue-manager.js';
import { createAskedDialogue, listen } from '#test/support/asked-dialogue.js';
import { createScriptedDialogue } from '#test/support/scripted-dialogue.js';

dialogueContract('the playbook', () => createPlaybooks());

const SCRIPT: DialogueOutput[][] = [
  [{ kind: 'say', text: 'Hello.', interruptible: true }, listen],
  [{ kind: 'say', text: 'I see.', interruptible: true }, listen],
  [{ kind: 'say', text: 'Goodbye.', interruptible: true }, { kind: 'end' }],
];
dialogueContract('the script', () => createScriptedDialogue(SCRIPT));
dialogueContract('the script that writes down what it is asked', () => ({
  open: () => createAskedDialogue(SCRIPT, { asked: [], cut: [], overheard: [], think: async () => {} }),
}));
