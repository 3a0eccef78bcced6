// The editor of an agent. What the service would object to stands next to the field it is about.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request, type RequestFailed } from '../../api/client.js';
import type { Agent } from '../../api/contract.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton, useAction } from '../../ui/actions.js';
import { CheckField, TextArea, TextField } from '../../ui/form.js';
import { Card, Loaded, Page, Trouble } from '../../ui/parts.js';
import { Tabs } from '../../ui/tabs.js';
import { bodyOf, draftOf, NEW_DRAFT, type AgentDraft } from './agent-draft.js';
import { ModelFields, VoiceFields } from './agent-fields.js';
import { PlaybookEditor } from './playbook-editor.js';
import { PromptPreview } from './prompt-preview.js';
import { ToolsEditor } from './tools-editor.js';
import { TryAgent, useTrial } from './try-agent.js';

export interface DraftProps {
  draft: AgentDraft;
  change: (part: Partial<AgentDraft>) => void;
  problem: RequestFailed | null;
}

export function AgentPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const agent = useOperation(id === 'new' ? null : 'GET /api/agents/{agent_id}', { path: { agent_id: id } });
  if (id === 'new') return <Editor agent={undefined} />;
  return <Loaded from={agent}>{(data) => <Editor agent={data} />}</Loaded>;
}

function Editor({ agent }: { agent: Agent | undefined }) {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<AgentDraft>(() => (agent ? draftOf(agent) : NEW_DRAFT));
  const [isChanged, setChanged] = useState(false);
  const change = (part: Partial<AgentDraft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setChanged(true);
  };
  useWarningOnLeave(isChanged);
  const { run, isRunning, problem } = useAction(async () => {
    const body = bodyOf(draft, agent);
    const saved = agent
      ? await request('PUT /api/agents/{agent_id}', { path: { agent_id: agent.id }, body })
      : await request('POST /api/agents', { body });
    setChanged(false);
    invalidate('/api/agents');
    if (!agent) navigate(`/agents/${saved.id}`);
    return `${saved.name} is saved; the next call talks by it.`;
  }, true);
  const trial = useTrial(draft, agent);
  const [isTrying, setTrying] = useState(false);
  // What a trial is refused for stands beside its field, as with saving.
  const parts = { draft, change, problem: problem ?? trial.begin.problem };
  return (
    <Page
      title={draft.name || 'New agent'}
      over={['/agents', 'Agents']}
      actions={
        <>
          <button type="button" aria-expanded={isTrying} onClick={() => setTrying(true)}>
            Talk
          </button>
          {agent && (
            <>
              <Link class="button" href={`/calls?agent_id=${agent.id}`}>
                Its calls
              </Link>
              {may('write') && <DeleteButton agent={agent} />}
            </>
          )}
          <button
            type="button"
            class="primary"
            disabled={isRunning || !may('write') || draft.name === ''}
            onClick={run}
          >
            {isRunning ? 'Saving …' : isChanged || !agent ? 'Save' : 'Saved'}
          </button>
        </>
      }
    >
      {problem && <Trouble problem={problem} />}
      {agent && agent.warnings.length > 0 && !isChanged && <Warnings agent={agent} />}
      {isTrying && <TryAgent trial={trial} draft={draft} onClose={() => setTrying(false)} />}
      <Basics {...parts} />
      <Card>
        <Tabs
          label="Parts of the agent"
          tabs={[
            {
              name: 'What it says',
              content: () =>
                draft.talksBy === 'playbook' ? <PlaybookEditor {...parts} /> : <ModelFields {...parts} />,
            },
            { name: 'Voice and hearing', content: () => <VoiceFields {...parts} agent={agent} /> },
            { name: 'Tools', content: () => <ToolsEditor {...parts} /> },
            ...(agent
              ? [{ name: 'Prompt', content: () => <PromptPreview agent={agent} isChanged={isChanged} /> }]
              : []),
            { name: 'Phone', content: () => <PhoneFields {...parts} agent={agent} /> },
          ]}
        />
      </Card>
    </Page>
  );
}

function Basics({ draft, change, problem }: DraftProps) {
  return (
    <Card>
      <div class="columns">
        <TextField
          label="Name"
          required
          value={draft.name}
          onInput={(name) => change({ name })}
          wrong={problem?.about('name')}
        />
        <fieldset class="field choice">
          <legend class="label">What it says is decided by</legend>
          {(['playbook', 'model'] as const).map((way) => (
            <label key={way} class="check">
              <input
                type="radio"
                name="way"
                checked={draft.talksBy === way}
                onInput={() => change({ talksBy: way })}
              />
              {way === 'playbook' ? 'a playbook, word for word' : 'a language model, from a prompt'}
            </label>
          ))}
        </fieldset>
        <div class="stack tight">
          <CheckField
            label="Active: may call and be called"
            checked={draft.status === 'active'}
            onInput={(isOn) => change({ status: isOn ? 'active' : 'inactive' })}
          />
          <CheckField
            label="Default: answers where no other is named"
            checked={draft.isDefault}
            onInput={(isDefault) => change({ isDefault })}
          />
        </div>
      </div>
      <TextArea
        label="Greeting"
        rows={2}
        hint={
          <>
            Said first. <code>{'{{name|there}}'}</code> is filled with what is known of the person, or
            “there”.
          </>
        }
        value={draft.initialMessage}
        onInput={(initialMessage) => change({ initialMessage })}
        wrong={problem?.about('initial_message')}
      />
    </Card>
  );
}

function PhoneFields({ draft, change, problem, agent }: DraftProps & { agent: Agent | undefined }) {
  return (
    <div class="stack">
      <p>
        {agent && agent.phone_numbers.length > 0
          ? `Answers ${agent.phone_numbers.join(', ')}.`
          : 'No phone number leads to this agent. '}
        {!agent?.phone_numbers.length && <Link href="/setup/numbers">Assign one under Setup.</Link>}
      </p>
      <div class="columns">
        <TextField
          label="Look-up address"
          type="url"
          placeholder="https://…"
          hint="Asked who is calling before an incoming call is answered."
          value={draft.lookupUrl}
          onInput={(lookupUrl) => change({ lookupUrl })}
          wrong={problem?.about('lookup_url')}
        />
        <TextField
          label="Stands in for it"
          placeholder="agent_…"
          hint="The agent that answers when this one cannot."
          value={draft.backupAgentId}
          onInput={(backupAgentId) => change({ backupAgentId })}
          wrong={problem?.about('backup_agent_id')}
        />
      </div>
    </div>
  );
}

function Warnings({ agent }: { agent: Agent }) {
  return (
    <div class="notice warn">
      <strong>This agent works, but not all of what it says is used:</strong>
      <ul>
        {agent.warnings.map(({ code, message }) => (
          <li key={code + message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

function DeleteButton({ agent }: { agent: Agent }) {
  const [, navigate] = useLocation();
  return (
    <ActionButton
      class="danger"
      confirm={{
        title: `Delete ${agent.name}?`,
        text: 'Its past calls stay. Schedules and batches that use it stop the deletion.',
        label: 'Delete',
      }}
      perform={async () => {
        await request('DELETE /api/agents/{agent_id}', { path: { agent_id: agent.id } });
        invalidate('/api/agents');
        navigate('/agents');
        return `${agent.name} is deleted.`;
      }}
    >
      Delete
    </ActionButton>
  );
}

/** The browser asks before a page with unsaved changes is closed. */
function useWarningOnLeave(isChanged: boolean): void {
  const latest = useRef(isChanged);
  latest.current = isChanged;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (latest.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
}
