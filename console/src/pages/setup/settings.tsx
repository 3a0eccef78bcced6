import { useState } from 'preact/hooks';
import { useAddress } from '../../api/resource.js';
import { TextField } from '../../ui/form.js';
import { Card, Loaded } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';

interface Setting {
  name: string;
  value: unknown;
  source?: string;
  description?: string;
}

/** Settings as they are in force; what is secret is masked by the service. They are changed where the service is started. */
export function Settings() {
  const settings = useAddress<{ settings?: Setting[]; data?: Setting[] }>('/api/settings');
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
        {(answer) => (
          <Table
            label="Settings"
            items={(answer.data ?? answer.settings ?? []).filter(({ name }) =>
              name.toLowerCase().includes(search.toLowerCase()),
            )}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Setting', cell: ({ name }) => <code class="break">{name}</code> },
              { name: 'Value', cell: ({ value }) => <code class="break">{written(value)}</code> },
              { name: 'From', cell: ({ source }) => source ?? '', isWide: true },
              { name: 'What for', cell: ({ description }) => description ?? '', isWide: true },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function written(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
