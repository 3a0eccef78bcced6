import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { request } from '../../api/client.js';
import type { Webhook } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import { invalidate } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionForm } from '../../ui/action-form.js';
import { CopyButton, Dialog, useAction } from '../../ui/actions.js';
import { TextField } from '../../ui/form.js';
import { words } from '../../ui/format.js';
import { Card, Empty, Moment, Page, Status, Verbatim } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { deliveryColumns } from './deliveries.js';
import { EventChoice } from './event-choice.js';

export function WebhooksPage() {
  const [isAdding, setAdding] = useState(false);
  const refresh = useRefresh();
  const add = may('write') && (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add a receiver
    </button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Servers of yours that are told what happens, signed and tried again until they take it."
      actions={add}
    >
      {isAdding && <NewWebhook onClose={() => setAdding(false)} />}
      <Card title="Receivers" flush>
        <PagedList
          label="Receivers"
          operation="GET /v1/webhooks"
          query={{ limit: 50 }}
          refreshMs={refresh}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Address',
              cell: ({ id, url }) => (
                <Link class="break" href={`/webhooks/${id}`}>
                  {url}
                </Link>
              ),
            },
            {
              name: 'State',
              cell: ({ status, disabled_reason: why }) => (
                <>
                  <Status of={status} /> {why && <span class="small quiet">{words(why)}</span>}
                </>
              ),
            },
            { name: 'Events', cell: ({ events }) => events.length, isNumeric: true, isWide: true },
            {
              name: 'Last delivery',
              cell: ({ last_delivery_at: at, last_delivery_status: last }) => (
                <>
                  {last && <Status of={last} />} <Moment at={at} />
                </>
              ),
            },
            { name: 'What for', cell: ({ description }) => description ?? '', isWide: true },
          ]}
          empty={
            <Empty title="No receiver yet">
              <p>Add the address of a server of yours; it is told of calls and batches as they happen.</p>
              {add}
            </Empty>
          }
        />
      </Card>
      <Card title="Latest deliveries" flush>
        <PagedList
          label="Latest deliveries"
          operation="GET /v1/webhooks/logs"
          query={{ limit: 30 }}
          refreshMs={refresh}
          keyOf={({ id }) => id}
          columns={deliveryColumns}
          empty={
            <Empty title="Nothing was delivered yet">
              <p>Each delivery shows here with what was sent and what was answered.</p>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function NewWebhook({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<string[]>([]);
  const [made, setMade] = useState<Webhook | null>(null);
  const action = useAction(async () => {
    const body = {
      url,
      ...(description === '' ? {} : { description }),
      ...(events.length > 0 ? { events } : {}),
    };
    setMade(await request('POST /v1/webhooks', { body }));
    invalidate('/v1/webhooks');
  }, true);
  const { problem } = action;
  if (made)
    return <SecretShown title="The receiver is registered" secret={made.secret ?? ''} onClose={onClose} />;
  return (
    <Dialog title="Add a receiver" onClose={onClose} isWide>
      <ActionForm
        action={action}
        label="Add"
        runningLabel="Adding …"
        isReady
        more={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        <TextField
          label="Address"
          type="url"
          required
          placeholder="https://example.com/hook"
          value={url}
          onInput={setUrl}
          wrong={problem?.about('url')}
        />
        <TextField label="What for" value={description} onInput={setDescription} />
        <EventChoice chosen={events} onChange={setEvents} />
      </ActionForm>
    </Dialog>
  );
}

/** A secret that is shown this once. */
export function SecretShown({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <p>This is shown once and cannot be read again. Copy it to where it is used now.</p>
      <Verbatim label="Secret">{secret}</Verbatim>
      <div class="row">
        <CopyButton text={secret}>Copy</CopyButton>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
