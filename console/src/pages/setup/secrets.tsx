import { useState } from 'preact/hooks';
import { request } from '../../api/client.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionForm } from '../../ui/action-form.js';
import { ActionButton, useAction } from '../../ui/actions.js';
import { TextField } from '../../ui/form.js';
import { Card, Empty, Loaded, Moment } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';

export function Secrets() {
  const secrets = useOperation('GET /api/secrets');
  return (
    <div class="stack">
      {may('admin') && <NewSecret />}
      <Card flush>
        <Loaded from={secrets}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No secrets">
                <p>
                  Keys that tools of agents send to your servers, written there as{' '}
                  <code>{'{{secret.name}}'}</code>. They are kept encrypted and are not shown again.
                </p>
              </Empty>
            ) : (
              <Table
                label="Secrets"
                items={data}
                keyOf={({ name }) => name}
                columns={[
                  { name: 'Name', cell: ({ name }) => <strong class="mono">{name}</strong> },
                  { name: 'Set', cell: ({ updated_at: at }) => <Moment at={at} /> },
                  { name: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} />, isWide: true },
                  {
                    name: 'Delete',
                    cell: ({ name }) =>
                      may('admin') && (
                        <ActionButton
                          class="small danger"
                          confirm={{
                            title: `Delete “${name}”?`,
                            text: 'Tools that name it fail from now on.',
                            label: 'Delete',
                          }}
                          perform={async () => {
                            await request('DELETE /api/secrets/{name}', { path: { name } });
                            invalidate('/api/secrets');
                            return `“${name}” is deleted.`;
                          }}
                        >
                          Delete
                        </ActionButton>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

function NewSecret() {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const action = useAction(async () => {
    await request('PUT /api/secrets/{name}', { path: { name }, body: { value } });
    setName('');
    setValue('');
    invalidate('/api/secrets');
    return 'The secret is set.';
  }, true);
  const { problem } = action;
  return (
    <Card title="Set a secret">
      <ActionForm action={action} label="Set" isReady={name !== '' && value !== ''}>
        <div class="columns">
          <TextField
            label="Name"
            required
            placeholder="crm_key"
            value={name}
            onInput={setName}
            wrong={problem?.about('name')}
          />
          <TextField
            label="Value"
            type="password"
            autocomplete="new-password"
            required
            value={value}
            onInput={setValue}
            wrong={problem?.about('value')}
          />
        </div>
      </ActionForm>
    </Card>
  );
}
