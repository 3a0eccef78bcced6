// One delivery: what was sent, what was answered, attempt by attempt.
import { Link } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton, CopyButton } from '../../ui/actions.js';
import { milliseconds, timeOfDay, words } from '../../ui/format.js';
import { Card, Facts, Loaded, Moment, Page, Status, Verbatim } from '../../ui/parts.js';

/** What helps, by how the last attempt has ended. */
const HELP: Record<string, string> = {
  redirect: 'Redirects are not followed: register the address that it leads to.',
  client_error: 'The receiver refused it and is not asked again. Its answer below may say why.',
  gone: 'The receiver said that it is gone, and was switched off.',
  blocked_address: 'The address is on a private network, which the settings do not allow.',
  rate_limited: 'The receiver takes fewer requests than come; it is tried again later.',
  server_error: 'The receiver failed; its own log says more.',
  timeout: 'The receiver did not answer in time: answer first, and work after that.',
  dns: 'The name of the receiver is not known. Is it spelt right?',
  unreachable:
    'Nothing takes connections at this address. Is the receiver running, and open to this service?',
  tls: 'The certificate of the receiver is not trusted, or has expired.',
  reset: 'The receiver closed the connection before its answer was complete.',
  bad_response: 'What answered does not speak HTTP. Is the port the right one?',
};

export function DeliveryPage({ params }: PageProps) {
  const path = { delivery_id: params['id'] ?? '' };
  const delivery = useOperation('GET /v1/webhooks/logs/{delivery_id}', { path }, useRefresh());
  return <Loaded from={delivery}>{(data) => <DeliveryView delivery={data} />}</Loaded>;
}

function DeliveryView({ delivery }: { delivery: Schemas['WebhookDeliveryDetail'] }) {
  return (
    <Page
      title={delivery.event_type}
      over={[`/webhooks/${delivery.webhook_id}`, 'Receiver']}
      lead={
        <>
          <Status of={delivery.status} /> to {delivery.url} · <Moment at={delivery.created_at} />
        </>
      }
      actions={
        may('write') && (
          <ActionButton
            class="primary"
            perform={async () => {
              await request('POST /v1/webhooks/logs/{delivery_id}/resend', {
                path: { delivery_id: delivery.id },
              });
              invalidate('/v1/webhooks');
              return 'It is sent again.';
            }}
          >
            Send it again
          </ActionButton>
        )
      }
    >
      {delivery.error && (
        <p class="notice bad">
          <strong>{words(delivery.error)}</strong> {HELP[delivery.error]}
        </p>
      )}
      {delivery.next_retry_at && (
        <p class="notice">
          It is tried again at <Moment at={delivery.next_retry_at} />.
        </p>
      )}
      <Card title="Attempts">
        <div class="stack">
          {delivery.attempts.length === 0 && <p class="quiet">None yet.</p>}
          {delivery.attempts.map((attempt) => (
            <div key={attempt.attempt} class="stack tight">
              <span class="row">
                <strong>Attempt {attempt.attempt}</strong>
                <Status of={attempt.success ? 'delivered' : 'failed'} />
                <span class="quiet">
                  {timeOfDay(attempt.started_at)}, {milliseconds(attempt.response_time_ms)}
                  {attempt.status_code !== null && `, answered ${attempt.status_code}`}
                </span>
              </span>
              {attempt.error && <span class="break">{words(attempt.error)}</span>}
              {attempt.response_body && <Verbatim label="Body">{attempt.response_body}</Verbatim>}
            </div>
          ))}
        </div>
      </Card>
      <Card title="Sent" actions={<CopyButton text={delivery.request_body}>Copy the body</CopyButton>}>
        <div class="stack tight">
          <Facts of={Object.entries(delivery.request_headers)} />
          <Verbatim label="Body">{readable(delivery.request_body)}</Verbatim>
          <CallLink body={delivery.request_body} />
        </div>
      </Card>
    </Page>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function CallLink({ body }: { body: string }) {
  const id = /"call_id":\s*"(call_[0-9a-z]+)"/.exec(body)?.[1];
  return id === undefined ? null : <Link href={`/calls/${id}`}>The call that it is about</Link>;
}
