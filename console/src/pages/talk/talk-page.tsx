// A call from the browser: the reader is the caller.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type { TranscriptEntry } from '../../api/contract.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { CheckField, TextField } from '../../ui/form.js';
import { milliseconds, words } from '../../ui/format.js';
import { Card, Empty, Page, Status } from '../../ui/parts.js';
import { PlaybookSteps } from '../agents/playbook-steps.js';
import { Level } from '../call/steering.js';
import { TranscriptView } from '../call/transcript.js';
import { talkTo, type TalkSession, type ToolCalled } from './talk-session.js';

export function TalkPage() {
  const [search] = useSearchParams();
  const [agentId, setAgentId] = useState(search.get('agent') ?? '');
  const [isTyping, setTyping] = useState(false);
  const talk = useTalk(agentId);
  const begin = useAction(() => talk.begin(!isTyping), true);
  const isIdle = talk.session === null;
  return (
    <Page
      title="Talk"
      lead="Speak with an agent through this browser. It is a whole call, recorded and measured like any other; use headphones if the agent hears itself."
    >
      <div class="talk">
        <div class="stack">
          <Card>
            <div class="stack">
              <AgentField value={agentId} onInput={setAgentId} disabled={!isIdle} />
              {isIdle ? (
                <>
                  <CheckField label="Type instead of speaking" checked={isTyping} onInput={setTyping} />
                  <div class="row">
                    <button
                      type="button"
                      class="primary big"
                      disabled={begin.isRunning || agentId === '' || !may('write')}
                      onClick={begin.run}
                    >
                      {begin.isRunning ? 'Connecting …' : 'Start talking'}
                    </button>
                    {talk.callId !== '' && (
                      <Link class="button" href={`/calls/${talk.callId}`}>
                        Open the call
                      </Link>
                    )}
                  </div>
                  {!may('write') && <p class="notice warn">Talking needs a key with the scope “write”.</p>}
                  {begin.problem && (
                    <p class="notice bad" role="alert">
                      {begin.problem.message}
                    </p>
                  )}
                  {talk.ended !== '' && <p class="notice">The call is over: {words(talk.ended)}.</p>}
                </>
              ) : (
                <Controls talk={talk} />
              )}
            </div>
          </Card>
          <Steps agentId={agentId} now={talk.step} />
          {talk.tools.length > 0 && <Tools of={talk.tools} />}
        </div>
        <Card title="What is said">
          {talk.entries.length === 0 && talk.partial === '' ? (
            <Empty title={isIdle ? 'Nothing said yet' : 'The agent is about to greet you'}>
              <p>Words show here as they are recognised.</p>
            </Empty>
          ) : (
            <TranscriptView
              entries={talk.entries}
              tools={[]}
              partial={talk.partial === '' ? null : { speaker: 'customer', text: talk.partial }}
              follows
            />
          )}
        </Card>
      </div>
    </Page>
  );
}

type Talk = ReturnType<typeof useTalk>;

function Controls({ talk }: { talk: Talk }) {
  const [isMuted, setMuted] = useState(false);
  const [text, setText] = useState('');
  const { session } = talk;
  return (
    <>
      <div class={`agent-state ${talk.state}`} role="status">
        <i /> The agent is {talk.state}
      </div>
      {session?.microphone && <Level of={session.microphone} />}
      <div class="row">
        <button type="button" class="danger filled" onClick={() => session?.hangUp()}>
          Hang up
        </button>
        <button type="button" onClick={() => session?.interrupt()}>
          Interrupt
        </button>
        {session?.microphone && (
          <button
            type="button"
            aria-pressed={isMuted}
            onClick={() => {
              session.microphone?.setMuted(!isMuted);
              setMuted(!isMuted);
            }}
          >
            Mute
          </button>
        )}
      </div>
      <form
        class="row type-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') session?.type(text.trim());
          setText('');
        }}
      >
        <TextField
          label="Type your turn"
          hiddenLabel
          placeholder="Or type what you would say"
          value={text}
          onInput={setText}
        />
        <button type="submit" disabled={text.trim() === ''}>
          Send
        </button>
      </form>
    </>
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

function Tools({ of }: { of: ToolCalled[] }) {
  return (
    <Card title="Tools">
      <ul class="plain-list">
        {of.map(({ name, status, latency_ms: took }, index) => (
          <li key={index}>
            {name} <Status of={status} /> {milliseconds(took)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function useTalk(agentId: string) {
  const [session, setSession] = useState<TalkSession | null>(null);
  const [callId, setCallId] = useState('');
  const [state, setState] = useState('listening');
  const [entries, setEntries] = useState<TranscriptEntry[]>([]);
  const [partial, setPartial] = useState('');
  const [ended, setEnded] = useState('');
  const [step, setStep] = useState('');
  const [tools, setTools] = useState<ToolCalled[]>([]);
  const open = useRef<TalkSession | null>(null);
  // Leaving the page hangs up.
  useEffect(() => () => open.current?.hangUp(), []);
  const begin = async (withMicrophone: boolean): Promise<void> => {
    setEntries([]);
    setTools([]);
    setPartial('');
    setEnded('');
    setStep('');
    const begun = await talkTo(agentId, withMicrophone, {
      started: setCallId,
      state: setState,
      partial: setPartial,
      step: setStep,
      tool: (tool) => setTools((known) => [...known, tool]),
      entry: (entry) => {
        setEntries((known) => [...known, entry]);
        if (entry.speaker === 'customer') setPartial('');
      },
      ended: (reason) => {
        setEnded(reason);
        setPartial('');
        setSession(null);
        open.current = null;
      },
    });
    open.current = begun;
    setSession(begun);
  };
  return { session, callId, state, entries, partial, ended, step, tools, begin };
}
