// What a person may do in a call that is going on: listen, speak through the agent, or speak in its place.
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../api/client.js';
import type { Call } from '../../api/contract.js';
import { ActionButton, say, useAction } from '../../ui/actions.js';
import { CheckField, TextField } from '../../ui/form.js';
import { Card, Status } from '../../ui/parts.js';
import { isTalking } from './call-states.js';
import { speakInto, useListening, type OwnVoice } from './listening.js';
import { Transfer } from './transfer.js';
import { useMode, type Mode } from './mode.js';

export function Steering({ call, step }: { call: Call; step: string }) {
  const canSteer = isTalking(call.status);
  const [mode, setMode] = useMode(call.call_id);
  return (
    <Card
      title="This call is live"
      actions={
        <>
          <Status of={call.status} />
          {MODES[mode] && <span class="badge live">{MODES[mode]}</span>}
          {step !== '' && <span class="badge live">Step: {step}</span>}
        </>
      }
    >
      {canSteer ? (
        <div class="stack">
          <Voices call={call} mode={mode} onMode={setMode} />
          <div class="columns">
            <Say callId={call.call_id} />
            <Context callId={call.call_id} />
          </div>
          <div class="columns">
            <Transfer callId={call.call_id} mode={mode} onMode={setMode} />
            <Digits callId={call.call_id} />
          </div>
        </div>
      ) : (
        <p class="quiet">It can be listened to and steered as soon as it is answered.</p>
      )}
    </Card>
  );
}

/** Who talks with the person, where that is not the agent. */
const MODES: Record<Mode, string> = {
  agent: '',
  muted: 'Agent muted',
  held: 'On hold',
  operator: 'Taken over',
  joined: 'Joined with a person',
};

function Voices({ call, mode, onMode }: { call: Call; mode: Mode; onMode: (mode: Mode) => void }) {
  const path = { call_id: call.call_id };
  const listening = useListening(call.call_id);
  const [voice, setVoice] = useState<OwnVoice | null>(null);
  const open = useRef<OwnVoice | null>(null);
  useEffect(() => () => open.current?.close(), []);

  const takeOver = async (): Promise<string> => {
    const answer = await request('POST /api/calls/{call_id}/take-over', { path });
    onMode(answer.mode);
    const own = await speakInto(answer.socket ?? `/ws/calls/${call.call_id}/speak`, () => setVoice(null));
    open.current = own;
    setVoice(own);
    if (!listening.isOn) listening.start();
    return 'You speak in place of the agent now.';
  };
  const handBack = async (): Promise<string> => {
    // The service closes the socket then; one that is closed first hands back by itself.
    onMode((await request('POST /api/calls/{call_id}/hand-back', { path })).mode);
    open.current?.close();
    setVoice(null);
    return 'The agent goes on.';
  };
  const whisper = async (): Promise<string> => {
    const { socket } = await request('POST /api/calls/{call_id}/whisper', { path });
    const own = await speakInto(socket ?? `/ws/calls/${call.call_id}/whisper`, () => setVoice(null));
    open.current = own;
    setVoice(own);
    return 'The joined person alone hears you now.';
  };
  const stopWhispering = async (): Promise<void> => {
    open.current?.close();
    setVoice(null);
  };
  const steer = async (act: 'mute' | 'unmute' | 'hold' | 'resume'): Promise<void> => {
    onMode((await request(`POST /api/calls/{call_id}/${act}`, { path })).mode);
  };
  return (
    <div class="stack tight">
      <div class="row">
        <button
          type="button"
          class={listening.isOn ? '' : 'primary'}
          aria-pressed={listening.isOn}
          onClick={listening.isOn ? listening.stop : listening.start}
        >
          {listening.isOn ? 'Stop listening' : 'Listen'}
        </button>
        {mode === 'joined' && (
          <ActionButton perform={voice ? stopWhispering : whisper}>
            {voice ? 'Stop whispering' : 'Whisper to the joined person'}
          </ActionButton>
        )}
        {mode !== 'joined' && voice && <ActionButton perform={handBack}>Hand back to the agent</ActionButton>}
        {mode !== 'joined' && !voice && <ActionButton perform={takeOver}>Take over</ActionButton>}
        {mode === 'held' && <ActionButton perform={() => steer('resume')}>Take off hold</ActionButton>}
        {(mode === 'agent' || mode === 'muted') && (
          <>
            <ActionButton perform={() => steer('hold')}>Hold</ActionButton>
            <ActionButton perform={() => steer(mode === 'muted' ? 'unmute' : 'mute')}>
              {mode === 'muted' ? 'Let the agent speak' : 'Mute the agent'}
            </ActionButton>
          </>
        )}
      </div>
      {voice && <Level of={voice} />}
      {listening.problem !== '' && <p class="notice warn">{listening.problem}</p>}
    </div>
  );
}

/** Shows that the own microphone is heard. */
export function Level({ of }: { of: { level(): number } }) {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      setLevel(of.level());
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [of]);
  return (
    <div class="level" role="img" aria-label="Level of your microphone">
      <i style={{ width: `${Math.round(level * 100)}%` }} />
    </div>
  );
}

interface LineProps {
  label: string;
  hint: string;
  button: string;
  type?: string;
  perform: (text: string) => Promise<unknown>;
  done: string;
  children?: preact.ComponentChildren;
}

/** One line of text and the button that sends it. */
function Line({ label, hint, button, type = 'text', perform, done, children }: LineProps) {
  const [text, setText] = useState('');
  const { run, isRunning, problem } = useAction(async () => {
    await perform(text.trim());
    setText('');
    say(done);
  }, true);
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <TextField
        {...{ label, hint, type }}
        value={text}
        onInput={setText}
        wrong={problem?.message}
        required
      />
      <div class="row">
        <button type="submit" disabled={isRunning || text.trim() === ''}>
          {button}
        </button>
        {children}
      </div>
    </form>
  );
}

function Say({ callId }: { callId: string }) {
  const [interrupts, setInterrupts] = useState(false);
  return (
    <Line
      label="Have the agent say"
      hint="Spoken in the agent’s voice, as it is written."
      button="Say it"
      done="The agent says it."
      perform={(text) =>
        request('POST /api/calls/{call_id}/say', {
          path: { call_id: callId },
          body: { text, interrupt: interrupts },
        })
      }
    >
      <CheckField label="at once, whoever is speaking" checked={interrupts} onInput={setInterrupts} />
    </Line>
  );
}

function Context({ callId }: { callId: string }) {
  return (
    <Line
      label="Note for the model"
      hint="Not spoken: the model knows it from its next answer on."
      button="Give the note"
      done="The model knows it now."
      perform={(text) =>
        request('POST /api/calls/{call_id}/context', { path: { call_id: callId }, body: { text } })
      }
    />
  );
}

function Digits({ callId }: { callId: string }) {
  return (
    <Line
      label="Press keys"
      hint="Digits, * and #."
      button="Press"
      done="The keys are pressed."
      perform={(digits) =>
        request('POST /api/calls/{call_id}/digits', { path: { call_id: callId }, body: { digits } })
      }
    />
  );
}
