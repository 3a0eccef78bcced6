import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { TextField } from '../../ui/form.js';
import { Card, Loaded } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';

type Setting = Schemas['Settings']['data'][number];

/** Settings as they are in force; what is secret is masked by the service. They are changed where the service is started. */
export function Settings() {
  const settings = useOperation(may('admin') ? 'GET /api/settings' : null);
  const [search, setSearch] = useState('');
  if (!may('admin')) return <p class="notice">Settings are shown to keys with the scope “admin”.</p>;
  return (
    <Card
      title="Settings in force"
      flush
      actions={
        <TextField
          label="Search"
          hiddenLabel
          placeholder="Look for a setting"
          value={search}
          onInput={setSearch}
        />
      }
    >
      <Loaded from={settings}>
        {({ data }) => (
          <Table
            label="Settings"
            items={data.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Setting', cell: ({ name }) => <code class="break">{name}</code> },
              { name: 'Value', cell: (setting) => <code class="break">{written(setting)}</code> },
              { name: 'Set', cell: ({ is_set: isSet }) => (isSet ? 'yes' : ''), isWide: true },
              { name: 'What for', cell: ({ description }) => description, isWide: true },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function written({ value, is_secret: isSecret, is_set: isSet }: Setting): string {
  if (isSecret) return isSet ? '••••••' : '–';
  return value === null || value === '' ? '–' : value;
}
