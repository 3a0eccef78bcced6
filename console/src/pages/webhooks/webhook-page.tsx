import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request, type Query } from '../../api/client.js';
import type { Webhook } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { SelectField } from '../../ui/form.js';
import { plural, words } from '../../ui/format.js';
import { Card, Empty, Facts, Loaded, Moment, Page, Status } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { deliveryColumns } from './deliveries.js';
import { SecretShown } from './webhooks-page.js';

export function WebhookPage({ params }: PageProps) {
  const path = { webhook_id: params['id'] ?? '' };
  const webhook = useOperation('GET /v1/webhooks/{webhook_id}', { path }, useRefresh());
  return <Loaded from={webhook}>{(data) => <WebhookView webhook={data} />}</Loaded>;
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const [status, setStatus] = useState('');
  return (
    <Page
      title={webhook.url}
      over={['/webhooks', 'Webhooks']}
      lead={
        <>
          <Status of={webhook.status} /> {webhook.description ?? ''}
        </>
      }
      actions={may('write') && <WebhookActions webhook={webhook} />}
    >
      {webhook.disabled_reason && (
        <p class="notice bad">
          {webhook.disabled_reason === 'gone'
            ? 'The receiver answered 410: it wants no more. Switch it on again when it is back.'
            : 'It was switched off after days of nothing but failures. Mend the receiver, send a test, and switch it on.'}
        </p>
      )}
      <Card>
        <Facts
          of={[
            ['Events', webhook.events.join(', ')],
            ['Secret', `ends in ${webhook.secret_hint}`],
            [
              'Old secret valid until',
              webhook.secret_overlap_until && <Moment key="m" at={webhook.secret_overlap_until} />,
            ],
            ['Attempts', `${webhook.retry_policy.max_attempts} at most`],
            [
              'Filters',
              Object.entries(webhook.filters)
                .map(([name, value]) => `${words(name)}: ${value}`)
                .join(', '),
            ],
            ['Headers', Object.keys(webhook.headers).join(', ')],
          ]}
        />
      </Card>
      <Card
        title="Deliveries"
        flush
        actions={
          <SelectField
            label="State"
            hiddenLabel
            value={status}
            onInput={setStatus}
            choices={[
              ['', 'All'],
              ...['pending', 'retrying', 'delivered', 'failed', 'cancelled'].map((one): [string, string] => [
                one,
                words(one),
              ]),
            ]}
          />
        }
      >
        <PagedList
          label="Deliveries to this receiver"
          operation="GET /v1/webhooks/{webhook_id}/logs"
          path={{ webhook_id: webhook.id }}
          query={
            {
              limit: 50,
              ...(status === '' ? {} : { status: [status] }),
            } as Query<'GET /v1/webhooks/{webhook_id}/logs'>
          }
          refreshMs={useRefresh()}
          keyOf={({ id }) => id}
          columns={deliveryColumns}
          empty={
            <Empty title="No delivery is in this state">
              <p>“Send a test” delivers an example at once.</p>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

const DAY_MS = 86_400_000;

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [, navigate] = useLocation();
  const [secret, setSecret] = useState<string | null>(null);
  const path = { webhook_id: webhook.id };
  const after = (text: string): string => {
    invalidate('/v1/webhooks');
    return text;
  };
  return (
    <>
      <ActionButton
        class="primary"
        perform={async () => {
          const { status, response_status: answer } = await request('POST /v1/webhooks/{webhook_id}/test', {
            path,
            body: {},
          });
          return after(`The test is ${status}${answer ? `: ${answer}` : ''}.`);
        }}
      >
        Send a test
      </ActionButton>
      <ActionButton
        title="Sends again what failed in the last 24 hours"
        perform={async () => {
          const since = new Date(Date.now() - DAY_MS).toISOString();
          const { queued } = await request('POST /v1/webhooks/{webhook_id}/replay', {
            path,
            body: { since, status: 'failed' },
          });
          return after(`${plural(queued, 'delivery', 'deliveries')} of the last day are sent again.`);
        }}
      >
        Resend what failed
      </ActionButton>
      <ActionButton
        perform={async () => {
          await request('PATCH /v1/webhooks/{webhook_id}', { path, body: { active: !webhook.active } });
          return after(webhook.active ? 'The receiver is switched off.' : 'The receiver is switched on.');
        }}
      >
        {webhook.active ? 'Switch off' : 'Switch on'}
      </ActionButton>
      <ActionButton
        confirm={{
          title: 'Make a new secret?',
          text: 'For a day deliveries are signed with both, so that the receiver can change over.',
          label: 'Make a new one',
        }}
        perform={async () => {
          const rotated = await request('POST /v1/webhooks/{webhook_id}/rotate-secret', { path, body: {} });
          setSecret(rotated.secret);
          after('');
        }}
      >
        Rotate the secret
      </ActionButton>
      <ActionButton
        class="danger"
        confirm={{ title: 'Delete this receiver?', text: 'It is told nothing more.', label: 'Delete' }}
        perform={async () => {
          await request('DELETE /v1/webhooks/{webhook_id}', { path });
          navigate('/webhooks');
          return after('The receiver is deleted.');
        }}
      >
        Delete
      </ActionButton>
      {secret !== null && (
        <SecretShown title="The new secret" secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}
