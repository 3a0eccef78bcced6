// Transfers of a live call: cold (at once), or warm (the other person is asked first).
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { request } from '../../api/client.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { say, useAction } from '../../ui/actions.js';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/form.js';
import { words } from '../../ui/format.js';
import { Status } from '../../ui/parts.js';
import type { Mode } from './mode.js';

const HOW: [string, string][] = [
  ['warm', 'Ask them first, with the person on hold'],
  ['cold', 'At once, without asking'],
];

interface TransferProps {
  callId: string;
  mode: Mode;
  onMode: (mode: Mode) => void;
}

export function Transfer({ callId, mode, onMode }: TransferProps) {
  const [number, setNumber] = useState('');
  const [how, setHow] = useState('warm');
  const [briefing, setBriefing] = useState('');
  const [stays, setStays] = useState(false);
  const isWarm = how === 'warm';
  const { run, isRunning, problem } = useAction(async () => {
    const told = briefing.trim();
    const warm = { mode: 'warm' as const, stay: stays, ...(told !== '' && { briefing: told }) };
    const answer = await request('POST /api/calls/{call_id}/transfer', {
      path: { call_id: callId },
      body: { to_number: number.trim(), ...(isWarm && warm) },
    });
    onMode(answer.mode);
    say(isWarm ? 'The person is on hold while the other phone rings.' : 'The person is being put through.');
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
        label="Transfer to"
        hint="A number with its country, such as +14155550100."
        type="tel"
        value={number}
        onInput={setNumber}
        wrong={problem?.message}
        required
      />
      <SelectField label="How" value={how} onInput={setHow} choices={HOW} />
      {isWarm && (
        <>
          <TextArea
            label="Briefing"
            hint="What they are told first. Left empty, the language model of the agent sums the call up."
            rows={2}
            value={briefing}
            onInput={setBriefing}
          />
          <CheckField label="The agent comes back afterwards" checked={stays} onInput={setStays} />
        </>
      )}
      <div class="row">
        <button type="submit" disabled={isRunning || mode === 'joined' || number.trim() === ''}>
          Transfer
        </button>
      </div>
      <Legs callId={callId} />
    </form>
  );
}

/** The calls to those who were asked. */
function Legs({ callId }: { callId: string }) {
  const query = { parent_call_id: [callId], limit: 5 };
  const legs = useOperation('GET /api/calls', { query }, useRefresh());
  if (!legs.data || legs.data.data.length === 0) return null;
  return (
    <ul class="plain stack tight" aria-label="People who were asked">
      {legs.data.data.map((leg) => (
        <li key={leg.call_id} class="row">
          <Link href={`/calls/${leg.call_id}`}>{leg.to_phone}</Link>
          <Status of={leg.status} />
          {leg.ended_reason && <span class="quiet small">{words(leg.ended_reason)}</span>}
        </li>
      ))}
    </ul>
  );
}
