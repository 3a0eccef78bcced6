import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { request } from '../../api/client.js';
import { invalidate } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionForm } from '../../ui/action-form.js';
import { ActionButton, useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { TextField } from '../../ui/form.js';
import { Card, Empty } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';

export function PhoneNumbers() {
  return (
    <div class="stack">
      {may('write') && <NewNumber />}
      <Card flush>
        <PagedList
          label="Phone numbers"
          operation="GET /api/phone-numbers"
          keyOf={({ id }) => id}
          columns={[
            { name: 'Number', cell: ({ phone_number: number }) => <strong>{number}</strong> },
            { name: 'Label', cell: ({ label }) => label ?? '', isWide: true },
            {
              name: 'Answered by',
              cell: ({ agent_id: agent }) =>
                agent ? <Link href={`/agents/${agent}`}>its agent</Link> : 'the default agent',
            },
            { name: 'Carrier', cell: ({ provider }) => provider, isWide: true },
            {
              name: 'Remove',
              cell: ({ id, phone_number: number }) =>
                may('write') && (
                  <ActionButton
                    class="small danger"
                    confirm={{
                      title: `Remove ${number}?`,
                      text: 'The service no longer answers it. At the carrier it stays yours.',
                      label: 'Remove',
                    }}
                    perform={async () => {
                      await request('DELETE /api/phone-numbers/{number_id}', { path: { number_id: id } });
                      invalidate('/api/phone-numbers');
                      return `${number} is removed.`;
                    }}
                  >
                    Remove
                  </ActionButton>
                ),
            },
          ]}
          empty={
            <Empty title="No phone numbers">
              <p>
                Add a number that you have at a carrier, and choose which agent answers it and calls from it.
              </p>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

function NewNumber() {
  const [number, setNumber] = useState('');
  const [label, setLabel] = useState('');
  const [agentId, setAgentId] = useState('');
  const action = useAction(async () => {
    const body = { phone_number: number, agent_id: agentId, ...(label === '' ? {} : { label }) };
    await request('POST /api/phone-numbers', { body });
    setNumber('');
    setLabel('');
    invalidate('/api/phone-numbers', '/api/agents');
    return 'The number is added.';
  }, true);
  const { problem } = action;
  return (
    <Card title="Add a number">
      <ActionForm action={action} label="Add" isReady={number !== ''}>
        <div class="columns">
          <TextField
            label="Number"
            type="tel"
            required
            placeholder="+14155550123"
            value={number}
            onInput={setNumber}
            wrong={problem?.about('phone_number')}
          />
          <AgentField value={agentId} onInput={setAgentId} wrong={problem?.about('agent_id')} />
          <TextField label="Label" value={label} onInput={setLabel} />
        </div>
      </ActionForm>
    </Card>
  );
}
