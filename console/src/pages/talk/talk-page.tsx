// A call from the browser: the reader is the caller.
import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useOperation } from '../../api/resource.js';
import { useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { Card, Page } from '../../ui/parts.js';
import { PlaybookSteps } from '../agents/playbook-steps.js';
import { TalkControls, TalkWords } from './talk-panel.js';
import { useTalk } from './use-talk.js';

export function TalkPage() {
  const [search] = useSearchParams();
  const [agentId, setAgentId] = useState(search.get('agent') ?? '');
  const [isTyping, setTyping] = useState(false);
  const talk = useTalk();
  const begin = useAction(() => talk.begin(`/ws/stream/${agentId}`, !isTyping), true);
  return (
    <Page
      title="Talk"
      lead="Speak with an agent through this browser. It is a whole call, recorded and measured like any other; use headphones if the agent hears itself."
    >
      <div class="talk">
        <div class="stack">
          <Card>
            <div class="stack">
              <AgentField value={agentId} onInput={setAgentId} disabled={talk.session !== null} />
              <TalkControls {...{ talk, begin, isTyping }} onTyping={setTyping} isReady={agentId !== ''} />
            </div>
          </Card>
          <Steps agentId={agentId} now={talk.step} />
        </div>
        <Card title="What is said">
          <TalkWords talk={talk} />
        </Card>
      </div>
    </Page>
  );
}

function Steps({ agentId, now }: { agentId: string; now: string }) {
  const path = { agent_id: agentId };
  const agent = useOperation(agentId === '' ? null : 'GET /api/agents/{agent_id}', { path });
  const playbook = agent.data?.playbook;
  if (!playbook) return null;
  return (
    <Card title="Playbook">
      <PlaybookSteps playbook={playbook} now={now} />
    </Card>
  );
}
