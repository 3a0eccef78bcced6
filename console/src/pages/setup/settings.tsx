import { useState } from 'preact/hooks';
import { useAddress } from '../../api/resource.js';
import { TextField } from '../../ui/form.js';
import { Card, Loaded } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';

interface Setting {
  name: string;
  value: string | null;
  is_set: boolean;
  is_secret: boolean;
  description: string;
}

/** Settings as they are in force; what is secret is masked by the service. They are changed where the service is started. */
export function Settings() {
  const settings = useAddress<{ data: Setting[] }>('/api/settings');
  const [search, setSearch] = useState('');
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
