import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { request, type Query } from '../../api/client.js';
import { invalidate } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionForm } from '../../ui/action-form.js';
import { ActionButton, useAction } from '../../ui/actions.js';
import { SelectField, TextField } from '../../ui/form.js';
import { words } from '../../ui/format.js';
import { Card, Empty, Moment } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';

const REASONS = [
  'opt_out',
  'do_not_call_registry',
  'complaint',
  'wrong_number',
  'deceased',
  'other',
] as const;
type Reason = (typeof REASONS)[number];

export function Suppressions() {
  const [search, setSearch] = useState('');
  const query = (search === '' ? {} : { phone_number: [search] }) as Query<'GET /api/suppressions'>;
  return (
    <div class="stack">
      {may('write') && <NewSuppression />}
      <Card
        title="Numbers that are not called"
        flush
        actions={
          <TextField
            label="Number"
            hiddenLabel
            placeholder="Look for a number"
            value={search}
            onInput={setSearch}
          />
        }
      >
        <PagedList
          label="Suppressed numbers"
          operation="GET /api/suppressions"
          query={query}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Number',
              cell: ({ phone_number: number }) => (
                <Link href={`/numbers/${encodeURIComponent(number)}`}>{number}</Link>
              ),
            },
            { name: 'Why', cell: ({ reason, note }) => [words(reason), note].filter(Boolean).join(': ') },
            {
              name: 'From',
              cell: ({ source, call_id: id }) =>
                id ? <Link href={`/calls/${id}`}>a call</Link> : words(source),
              isWide: true,
            },
            { name: 'Since', cell: ({ created_at: at }) => <Moment at={at} />, isWide: true },
            {
              name: 'Until',
              cell: ({ expires_at: at }) => (at ? <Moment at={at} /> : 'for ever'),
              isWide: true,
            },
            {
              name: 'Take back',
              cell: ({ id, phone_number: number }) =>
                may('write') && (
                  <ActionButton
                    class="small danger"
                    confirm={{
                      title: `Let ${number} be called again?`,
                      text: 'Make sure that the person agreed to it.',
                      label: 'Take back',
                    }}
                    perform={async () => {
                      await request('DELETE /api/suppressions/{suppression_id}', {
                        path: { suppression_id: id },
                      });
                      invalidate('/api/suppressions', '/api/numbers');
                      return `${number} may be called again.`;
                    }}
                  >
                    Take back
                  </ActionButton>
                ),
            },
          ]}
          empty={
            <Empty title="No number is suppressed">
              <p>
                People who ask not to be called again come here by themselves, whatever agent they talk to.
              </p>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

function NewSuppression() {
  const [number, setNumber] = useState('');
  const [reason, setReason] = useState<Reason>('opt_out');
  const action = useAction(async () => {
    await request('POST /api/suppressions', { body: { phone_number: number, reason } });
    setNumber('');
    invalidate('/api/suppressions', '/api/numbers');
    return 'The number is not called any more.';
  }, true);
  const { problem } = action;
  return (
    <Card title="Suppress a number">
      <ActionForm action={action} label="Suppress" isReady={number !== ''}>
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
          <SelectField
            label="Why"
            value={reason}
            onInput={(chosen) => setReason(chosen as Reason)}
            choices={REASONS.map((one): [string, string] => [one, words(one)])}
          />
        </div>
      </ActionForm>
    </Card>
  );
}
