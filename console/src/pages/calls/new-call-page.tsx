import { useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { request } from '../../api/client.js';
import { useOperation } from '../../api/resource.js';
import { ActionForm } from '../../ui/action-form.js';
import { useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { TextArea, TextField } from '../../ui/form.js';
import { Card, Facts, Page, Status } from '../../ui/parts.js';
import { parseValues } from '../../ui/values.js';

/** Some of those who answer on the sandbox network: see docs/sandbox.md. */
const CALLEES: [string, string][] = [
  ['+15550100001', 'talks and confirms'],
  ['+15550100002', 'talks and declines'],
  ['+15550100010', 'asks who is calling first'],
  ['+15550100011', 'interrupts the agent'],
  ['+15550100012', 'says “uh-huh” while the agent speaks'],
  ['+15550100019', 'is a voicemail'],
  ['+15550100022', 'asks not to be called again'],
  ['+15550100005', 'is busy'],
];

export function NewCallPage() {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const [agent, setAgent] = useState(search.get('agent') ?? '');
  const [number, setNumber] = useState(search.get('number') ?? '');
  const [name, setName] = useState('');
  const [data, setData] = useState('');
  const action = useAction(async () => {
    const customer = { ...parseValues(data), ...(name === '' ? {} : { name }) };
    const { call_id: id } = await request('POST /api/calls', {
      body: { agent_id: agent, to_phone: number, customer_data: customer },
    });
    navigate(`/calls/${id}`);
  }, true);
  const { problem } = action;
  return (
    <Page
      title="New call"
      over={['/calls', 'Calls']}
      lead="The agent calls the number at once; the call opens as it rings."
    >
      <div class="columns">
        <ActionForm
          action={action}
          label="Call"
          runningLabel="Calling …"
          isReady={number !== '' && agent !== ''}
        >
          <AgentField value={agent} onInput={setAgent} wrong={problem?.about('agent_id')} />
          <TextField
            label="Number"
            type="tel"
            required
            placeholder="+15550100001"
            list="callees"
            value={number}
            onInput={setNumber}
            wrong={problem?.about('to_phone')}
          />
          <datalist id="callees">
            {CALLEES.map(([callee, what]) => (
              <option key={callee} value={callee}>
                {what}
              </option>
            ))}
          </datalist>
          <TextField label="Name" hint="Of the person; agents say it." value={name} onInput={setName} />
          <TextArea
            label="What the agent is told"
            hint="One value a line, as in “appointment: Tuesday at three”."
            value={data}
            onInput={setData}
          />
        </ActionForm>
        <div class="stack">
          {number.length > 6 && <Verdict number={number} />}
          <Card title="People of the sandbox network">
            <Facts
              of={CALLEES.map(([callee, what]) => [
                callee,
                <button key={callee} type="button" class="plain small" onClick={() => setNumber(callee)}>
                  {what}
                </button>,
              ])}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Whether the number may be called now, before the button is pressed. */
function Verdict({ number }: { number: string }) {
  const { data } = useOperation('GET /api/numbers/{phone_number}', { path: { phone_number: number } });
  if (!data) return null;
  return (
    <p class="notice">
      <span>
        <Status of={data.verdict} />
      </span>
      {data.explanation}
    </p>
  );
}
