import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import type { Command, CommandArguments, CommandContext } from './command.js';
import { TalkVoice } from './talk-voice.js';
import { findTalkAgent, type TalkAgent } from './talk-agent.js';
import { TypedTalk } from './typed-talk.js';

/**
 * The command `talk`: a talk with an agent in the terminal, typed or spoken, for authors of playbooks. It shows the
 * agent's words, the steps of the playbook and the understood answers.
 */
export const talkCommand: Command = {
  name: 'talk',
  summary: 'Talks with an agent in the terminal, without a call.',
  operands: ['<agent.json | agent id>'],
  options: {
    number: { type: 'string', docs: 'Number of the other end; hidden, if omitted.' },
    voice: {
      type: 'boolean',
      docs: 'The built-in recogniser hears what you type, spoken, or the WAV file that you name; the talk is kept in talk.wav.',
    },
    workspace: {
      type: 'string',
      docs: `The workspace of an agent that is named by its id (default: ${DEFAULT_WORKSPACE}).`,
    },
    service: {
      type: 'string',
      docs: 'URL of a running service that has the agent, such as http://localhost:8010.',
    },
    key: { type: 'string', docs: 'API key for --service.' },
  },
  otherOptions: '--<variable> <text> fills {{variable}}, such as --name Ada.',
  async run(context, args) {
    const agent = await findTalkAgent(context, args);
    const voice = args.options['voice'] === true ? await TalkVoice.open(agent, context) : null;
    try {
      await talkTo(agent, { voice, context, args });
    } finally {
      await voice?.close();
    }
    return 0;
  },
};

/** Passes the user's lines to the agent until the talk or the input ends. With `voice`, the talk is saved as sound. */
async function talkTo(
  agent: TalkAgent,
  { voice, context, args }: { voice: TalkVoice | null; context: CommandContext; args: CommandArguments },
): Promise<void> {
  const { print, readLine } = context;
  const talk = new TypedTalk(agent, { voice, context, args });
  for (const variable of talk.variables) print(variable);
  if (agent.ai_provider !== 'builtin')
    print(`(${agent.ai_provider} is not asked here: the playbook is followed alone)`);
  await talk.begin();
  while (!talk.isOver) {
    const line = await readLine('You:   ');
    if (line === null) break;
    await talk.hear(line.trim());
  }
  talk.finish();
  if (voice) print(`the talk can be heard in ${await voice.save()}`);
}
