import { useState } from 'preact/hooks';
import { request } from '../../api/client.js';
import { invalidate } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionForm } from '../../ui/action-form.js';
import { ActionButton, useAction } from '../../ui/actions.js';
import { SelectField, TextField } from '../../ui/form.js';
import { Card, Empty, Moment } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { SecretShown } from '../webhooks/webhooks-page.js';

type Scope = 'read' | 'write' | 'admin';
const SCOPES: Record<string, Scope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

export function Keys() {
  if (!may('admin')) return <p class="notice">Keys are kept by those whose own key has the scope “admin”.</p>;
  return (
    <div class="stack">
      <NewKey />
      <Card flush>
        <PagedList
          label="API keys"
          operation="GET /v1/api-keys"
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Key',
              cell: ({ name, key_hint: hint }) => (
                <>
                  <strong>{name}</strong>
                  <div class="quiet small mono">… {hint}</div>
                </>
              ),
            },
            { name: 'May', cell: ({ scopes }) => scopes.join(', ') },
            { name: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} />, isWide: true },
            { name: 'Ends', cell: ({ expires_at: at }) => <Moment at={at} />, isWide: true },
            {
              name: 'Revoke',
              cell: ({ id, name }) => (
                <ActionButton
                  class="small danger"
                  confirm={{
                    title: `Revoke “${name}”?`,
                    text: 'What uses it is refused at once, this console too if you signed in with it.',
                    label: 'Revoke',
                  }}
                  perform={async () => {
                    await request('DELETE /v1/api-keys/{key_id}', { path: { key_id: id } });
                    invalidate('/v1/api-keys');
                    return `“${name}” is revoked.`;
                  }}
                >
                  Revoke
                </ActionButton>
              ),
            },
          ]}
          empty={
            <Empty title="No keys">
              <p>Make one for each program that uses the service, with no more rights than it needs.</p>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

function NewKey() {
  const [name, setName] = useState('');
  const [scope, setScope] = useState('write');
  const [key, setKey] = useState<string | null>(null);
  const action = useAction(async () => {
    const made = await request('POST /v1/api-keys', { body: { name, scopes: SCOPES[scope] ?? ['read'] } });
    setKey(made.key);
    setName('');
    invalidate('/v1/api-keys');
  }, true);
  const { problem } = action;
  return (
    <Card title="New key">
      <ActionForm action={action} label="Make the key" isReady={name !== ''}>
        <div class="columns">
          <TextField label="Name" required value={name} onInput={setName} wrong={problem?.about('name')} />
          <SelectField
            label="It may"
            value={scope}
            onInput={setScope}
            choices={[
              ['read', 'read'],
              ['write', 'read and write'],
              ['admin', 'everything'],
            ]}
          />
        </div>
      </ActionForm>
      {key !== null && <SecretShown title="The new key" secret={key} onClose={() => setKey(null)} />}
    </Card>
  );
}
