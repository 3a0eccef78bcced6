import { Link } from 'wouter-preact';
import { useRefresh } from '../../api/live.js';
import { may } from '../../api/session.js';
import { count } from '../../ui/format.js';
import { Card, Empty, Moment, Page, Status } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';
import { Funnel } from './funnel.js';

export function BatchesPage() {
  return (
    <Page
      title="Batches"
      lead="Many numbers, each called once, at a pace and in hours that you set."
      actions={
        may('write') && (
          <Link class="button primary" href="/batches/new">
            New batch
          </Link>
        )
      }
    >
      <Card flush>
        <PagedList
          label="Batches"
          operation="GET /api/batches"
          query={{ limit: 30 }}
          refreshMs={useRefresh()}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Batch', cell: ({ id, name }) => <Link href={`/batches/${id}`}>{name}</Link> },
            { name: 'State', cell: ({ status }) => <Status of={status} /> },
            { name: 'Progress', cell: (batch) => <Funnel batch={batch} />, isWide: true },
            { name: 'Numbers', cell: ({ total_numbers: total }) => count(total), isNumeric: true },
            { name: 'Reached', cell: ({ successfully_called: reached }) => count(reached), isNumeric: true },
            { name: 'Agent', cell: ({ agent_name: agent }) => agent, isWide: true },
            { name: 'When', cell: ({ scheduled_at: at }) => <Moment at={at} /> },
          ]}
          empty={
            <Empty title="No batches yet">
              <p>
                Drop a table of people (CSV with a column <code>phone_number</code>), see who would be called
                and when, and start.
              </p>
              <Link class="button primary" href="/batches/new">
                Upload a table
              </Link>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
