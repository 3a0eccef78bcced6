// A call from the browser: how it begins, what can be done in it, and what is said.
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { RequestFailed } from '../../api/client.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import type { Action } from '../../ui/actions.js';
import { CheckField, TextField } from '../../ui/form.js';
import { words } from '../../ui/format.js';
import { Empty } from '../../ui/parts.js';
import { Level } from '../call/steering.js';
import { TranscriptView } from '../call/transcript.js';
import type { Talk } from './use-talk.js';

interface TalkControlsProps {
  talk: Talk;
  begin: Action;
  isTyping: boolean;
  onTyping: (isTyping: boolean) => void;
  /** Whether there is anything to talk with. */
  isReady: boolean;
}

export function TalkControls({ talk, begin, isTyping, onTyping, isReady }: TalkControlsProps) {
  if (talk.session !== null) return <InCall talk={talk} />;
  return (
    <>
      <CheckField label="Type instead of speaking" checked={isTyping} onInput={onTyping} />
      <div class="row">
        <button
          type="button"
          class="primary big"
          disabled={begin.isRunning || !isReady || !may('write')}
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
      {begin.problem && <WhyNot problem={begin.problem} />}
      {talk.ended !== '' && <p class="notice">The call is over: {words(talk.ended)}.</p>}
    </>
  );
}

/** What is wrong with single fields stands beside those. */
function WhyNot({ problem }: { problem: RequestFailed }) {
  return (
    <p class="notice bad" role="alert">
      {problem.message}
    </p>
  );
}

function InCall({ talk }: { talk: Talk }) {
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

/** The words of the call, and its tools with what they were asked and answered. */
export function TalkWords({ talk }: { talk: Talk }) {
  const path = { call_id: talk.callId };
  const transcript = useOperation(talk.toolCalls > 0 ? 'GET /api/calls/{call_id}/transcript' : null, {
    path,
  });
  if (talk.entries.length === 0 && talk.partial === '') {
    return (
      <Empty title={talk.session === null ? 'Nothing said yet' : 'The agent is about to greet you'}>
        <p>Words show here as they are recognised.</p>
      </Empty>
    );
  }
  return (
    <TranscriptView
      entries={talk.entries}
      tools={transcript.data?.tools ?? []}
      partial={talk.partial === '' ? null : { speaker: 'customer', text: talk.partial }}
      follows
    />
  );
}
