// A call with the agent as it stands in the editor, saved or not.
import { useState } from 'preact/hooks';
import { request } from '../../api/client.js';
import type { Agent } from '../../api/contract.js';
import { useAction } from '../../ui/actions.js';
import { Card } from '../../ui/parts.js';
import { TalkControls, TalkWords } from '../talk/talk-panel.js';
import { useTalk } from '../talk/use-talk.js';
import { bodyOf, playbookOf, type AgentDraft } from './agent-draft.js';
import { PlaybookSteps } from './playbook-steps.js';

export type Trial = ReturnType<typeof useTrial>;

/** Each call is with what the fields hold when it begins. */
export function useTrial(draft: AgentDraft, agent: Agent | undefined) {
  const [isTyping, onTyping] = useState(false);
  const talk = useTalk();
  const begin = useAction(async () => {
    const { name, ...fields } = bodyOf(draft, agent);
    const body = { ...fields, name: name === '' ? null : name, agent_id: agent?.id ?? null };
    const { socket } = await request('POST /api/agents/trials', { body });
    await talk.begin(socket, !isTyping);
  }, true);
  return { talk, begin, isTyping, onTyping };
}

export function TryAgent({
  trial,
  draft,
  onClose,
}: {
  trial: Trial;
  draft: AgentDraft;
  onClose: () => void;
}) {
  const { talk } = trial;
  const playbook = draft.talksBy === 'playbook' ? playbookOf(draft.playbook) : null;
  return (
    <Card
      title="Talk with it"
      actions={
        <button type="button" class="small" disabled={talk.session !== null} onClick={onClose}>
          Close
        </button>
      }
    >
      <div class="talk">
        <div class="stack">
          <p class="quiet">
            The agent is called as it stands here; nothing is saved by that. Changes count from the next call
            on.
          </p>
          <TalkControls {...trial} isReady />
          {playbook && <PlaybookSteps playbook={playbook} now={talk.step} />}
        </div>
        <TalkWords talk={talk} />
      </div>
    </Card>
  );
}
