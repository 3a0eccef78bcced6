import { createPlaybookThinking } from '../../../src/speech/playbook/playbook-thinking.js';
import { thinkingContract } from '../../contracts/thinking.js';
import { createScriptedThinking } from '../../support/scripted-thinking.js';

thinkingContract('the playbook', () => createPlaybookThinking());

thinkingContract('the script', () =>
  createScriptedThinking([
    [
      { kind: 'say', text: 'Hello.', interruptible: true },
      { kind: 'listen', expectation: { kind: 'anything' } },
    ],
    [
      { kind: 'say', text: 'I see.', interruptible: true },
      { kind: 'listen', expectation: { kind: 'anything' } },
    ],
    [{ kind: 'say', text: 'Goodbye.', interruptible: true }, { kind: 'end' }],
  ]),
);
