import { Link } from 'wouter-preact';
import { may } from '../../api/session.js';
import { plural } from '../../ui/format.js';
import { Card, Empty, Moment, Page, Status } from '../../ui/parts.js';
import { PagedList } from '../../ui/table.js';

export function AgentsPage() {
  return (
    <Page
      title="Agents"
      lead="An agent follows a playbook, which decides every word beforehand, or talks through a language model."
      actions={
        may('write') && (
          <Link class="button primary" href="/agents/new">
            New agent
          </Link>
        )
      }
    >
      <Card flush>
        <PagedList
          label="Agents"
          operation="GET /api/agents"
          query={{ limit: 50 }}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Agent',
              cell: ({ id, name, is_default: isDefault, initial_message: greeting }) => (
                <>
                  <Link href={`/agents/${id}`}>{name}</Link>{' '}
                  {isDefault && <span class="small quiet">default</span>}
                  <div class="quiet small clip">{greeting}</div>
                </>
              ),
            },
            { name: 'State', cell: ({ status }) => <Status of={status} /> },
            {
              name: 'Talks by',
              cell: ({ playbook, ai_provider: provider, model }) =>
                playbook
                  ? `a playbook of ${plural(Object.keys(playbook.steps).length, 'step')}`
                  : [provider, model].filter(Boolean).join(' '),
              isWide: true,
            },
            {
              name: 'Voice',
              cell: ({ voice_provider: provider, voice }) => [provider, voice].filter(Boolean).join(' '),
              isWide: true,
            },
            { name: 'Numbers', cell: ({ phone_numbers: numbers }) => numbers.join(', '), isWide: true },
            {
              name: 'Warnings',
              cell: ({ warnings }) =>
                warnings.length > 0 ? <span class="badge warn">{warnings.length}</span> : '',
            },
            { name: 'Changed', cell: ({ updated_at: at }) => <Moment at={at} />, isWide: true },
            {
              name: 'Try',
              cell: ({ id, name }) => (
                <Link href={`/talk?agent=${id}`} aria-label={`Talk to ${name}`}>
                  Talk
                </Link>
              ),
            },
          ]}
          empty={
            <Empty title="No agents yet">
              <p>
                An agent needs a name and either a playbook or a prompt. Then it can be talked to at once.
              </p>
              <Link class="button primary" href="/agents/new">
                Make the first agent
              </Link>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
