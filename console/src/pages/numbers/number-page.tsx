import { Link } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useRefresh } from '../../api/live.js';
import { invalidate, useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { momentIn, words } from '../../ui/format.js';
import { Card, Empty, Facts, Loaded, Moment, Page, Status } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { callColumns } from '../calls/calls-page.js';

export function NumberPage({ params }: PageProps) {
  const phone = params['number'] ?? '';
  const number = useOperation(
    'GET /api/numbers/{phone_number}',
    { path: { phone_number: phone } },
    useRefresh(),
  );
  return (
    <Page
      title={phone}
      over={['/numbers', 'Numbers']}
      lead={number.data && <Whereabouts number={number.data} />}
      actions={
        may('write') && (
          <>
            <Link class="button" href={`/calls/new?number=${encodeURIComponent(phone)}`}>
              Call it
            </Link>
            {number.data && !number.data.suppressed && <SuppressButton phone={phone} />}
          </>
        )
      }
    >
      <Loaded from={number}>{(data) => <Verdict number={data} />}</Loaded>
      <Card title="Why it was or was not called" flush>
        <PagedList
          label="Decisions about this number"
          operation="GET /api/numbers/{phone_number}/decisions"
          path={{ phone_number: phone }}
          keyOf={({ decided_at: at, subject_id: subject, moment }) => at + subject + moment}
          columns={[
            { name: 'When', cell: ({ decided_at: at }) => <Moment at={at} /> },
            { name: 'Decision', cell: ({ verdict }) => <Status of={verdict} /> },
            { name: 'Why', cell: ({ explanation }) => explanation },
            { name: 'At', cell: ({ moment }) => words(moment), isWide: true },
            {
              name: 'Call',
              cell: ({ call_id: id }) => (id ? <Link href={`/calls/${id}`}>open</Link> : '–'),
            },
          ]}
          empty={
            <Empty title="Nothing was decided about this number">
              <p>Each time it is to be called, the reason why it was or was not stands here.</p>
            </Empty>
          }
        />
      </Card>
      <Card title="Its calls" flush>
        <PagedList
          label="Calls of this number"
          operation="GET /api/calls"
          query={{ phone: [phone], limit: 20 }}
          keyOf={({ id }) => id}
          columns={callColumns}
          empty={
            <Empty title="No calls">
              <p>It has neither called nor been called.</p>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function Whereabouts({ number }: { number: Schemas['Number'] }) {
  const zones = number.time_zones;
  return (
    <>
      {[number.country, words(number.kind)].filter(Boolean).join(' · ')}
      {zones.length > 0 && ` · ${momentIn(new Date().toISOString(), zones[0]!)}`}
      {zones.length > 1 && ` (one of ${zones.length} zones)`}
    </>
  );
}

function Verdict({ number }: { number: Schemas['Number'] }) {
  return (
    <Card title="Now">
      <div class="stack tight">
        <p>
          <Status of={number.verdict} /> {number.explanation}
        </p>
        <Facts
          of={[
            ['Suppressed', number.suppressed ? 'yes' : 'no'],
            [
              'Hours',
              number.calling_window &&
                `${number.calling_window.start} to ${number.calling_window.end}, ${number.window_open ? 'open now' : 'closed now'}`,
            ],
            ['Opens', number.window_opens_at && <Moment key="o" at={number.window_opens_at} />],
            ...number.attempts.map(({ hours, used, limit }): [string, string] => [
              `Attempts in ${hours} h`,
              `${used} of ${limit}`,
            ]),
            ['Rules', words(number.compliance_mode)],
            ['Time zones', number.time_zones.join(', ')],
          ]}
        />
      </div>
    </Card>
  );
}

function SuppressButton({ phone }: { phone: string }) {
  return (
    <ActionButton
      class="danger"
      confirm={{
        title: `Never call ${phone} again?`,
        text: 'Batches and schedules skip it from now on. It can be taken back under Setup.',
        label: 'Suppress',
      }}
      perform={async () => {
        await request('POST /api/suppressions', { body: { phone_number: phone, reason: 'other' } });
        invalidate('/api/numbers', '/api/suppressions');
        return `${phone} is not called any more.`;
      }}
    >
      Suppress
    </ActionButton>
  );
}
