// Everything else that is known of a call.
import { request } from '../../api/client.js';
import type { Call } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import type { Schemas } from '../../api/openapi.js';
import { invalidate, useOperation, type Resource } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { Card, Empty, Facts, Loaded, Moment, Status, Verbatim } from '../../ui/parts.js';
import { count, dollars, timeOfDay, words } from '../../ui/format.js';
import { PagedList, Table } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { deliveryColumns } from '../webhooks/deliveries.js';

/** An analysis by the built-in rules is done by then; that of a model shows with the next reading. */
const ANALYSIS_MS = 1_500;

export function CallTabs({ call, events }: { call: Call; events: Resource<Schemas['CallEventList']> }) {
  return (
    <Card>
      <Tabs
        label="About this call"
        tabs={[
          { name: 'Summary', content: () => <Summary call={call} /> },
          {
            name: 'Events',
            content: () => <Loaded from={events}>{({ data }) => <Events events={data} />}</Loaded>,
          },
          { name: 'Webhooks', content: () => <Deliveries callId={call.call_id} /> },
          { name: 'Carrier', content: () => <Carrier call={call} /> },
          { name: 'Cost', content: () => <Cost call={call} /> },
          {
            name: 'Raw',
            content: () => <Verbatim label="The call as JSON">{JSON.stringify(call, null, 2)}</Verbatim>,
          },
        ]}
      />
    </Card>
  );
}

function Summary({ call }: { call: Call }) {
  const path = { call_id: call.call_id };
  const summary = useOperation('GET /api/calls/{call_id}/summary', { path }, useRefresh());
  return (
    <Loaded from={summary}>
      {({ status, summary: text, analysis, answers }) => (
        <div class="columns">
          <div class="stack tight">
            <p>
              {text ??
                (status === 'pending' ? 'The summary is written when the call is over.' : 'There is none.')}
            </p>
            {status === 'ready' && may('write') && <AnalyseAgain callId={call.call_id} />}
            {analysis && (
              <Facts
                of={[
                  ['Sentiment', words(analysis.sentiment)],
                  ['Intent', words(analysis.intent)],
                  [
                    'Resolved',
                    analysis.resolution_achieved === null ? '–' : analysis.resolution_achieved ? 'yes' : 'no',
                  ],
                  ['Confidence', analysis.confidence_score.toFixed(2)],
                  ['Keywords', analysis.keywords.join(', ')],
                  ['To do', analysis.actionable_items.join('; ')],
                ]}
              />
            )}
          </div>
          <Named title="Answers" values={answers} none="No question of the playbook was answered." />
          <Named
            title="Given with the call"
            values={call.customer_data}
            none="No data was given with the call."
          />
        </div>
      )}
    </Loaded>
  );
}

function AnalyseAgain({ callId }: { callId: string }) {
  const path = { call_id: callId };
  return (
    <div>
      <ActionButton
        class="small"
        title="After models or rules were changed, say"
        perform={async () => {
          await request('POST /api/calls/{call_id}/analysis', { path });
          setTimeout(() => invalidate(`/api/calls/${callId}/summary`), ANALYSIS_MS);
          return 'The call is analysed again; what is found replaces this in a moment.';
        }}
      >
        Run the analysis again
      </ActionButton>
    </div>
  );
}

function Named({ title, values, none }: { title: string; values: Record<string, unknown>; none: string }) {
  const pairs = Object.entries(values);
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      {pairs.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <Facts
          of={pairs.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])}
        />
      )}
    </div>
  );
}

function Events({ events }: { events: Schemas['CallEvent'][] }) {
  return (
    <Table
      label="Events of this call"
      items={events}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Time', cell: ({ at }) => <span class="mono">{timeOfDay(at)}</span> },
        { name: 'Event', cell: ({ type }) => words(type) },
        { name: 'State', cell: ({ to }) => (to ? <Status of={to} /> : ''), isWide: true },
        {
          name: 'More',
          cell: ({ data }) =>
            Object.keys(data).length > 0 ? <code class="break">{JSON.stringify(data)}</code> : '',
        },
      ]}
    />
  );
}

function Deliveries({ callId }: { callId: string }) {
  return (
    <PagedList
      label="Deliveries about this call"
      operation="GET /v1/webhooks/logs"
      query={{ call_id: [callId] }}
      keyOf={({ id }) => id}
      columns={deliveryColumns}
      empty={
        <Empty title="No webhook was told of this call">
          <p>Register a receiver under Webhooks, and later calls are reported to it.</p>
        </Empty>
      }
    />
  );
}

function Carrier({ call }: { call: Call }) {
  const { providers } = call;
  return (
    <Facts
      of={[
        ['Carrier', call.provider],
        ['Its id', call.provider_call_id],
        ['Its code', call.provider_code],
        ['Error', call.error],
        ['From', call.from_phone],
        ['To', call.to_phone],
        ['Answered', <Moment key="a" at={call.answered_at} />],
        ['Ended', <Moment key="e" at={call.ended_at} />],
        ['Model', providers && [providers.ai, providers.model].filter(Boolean).join(' ')],
        ['Voice', providers?.voice],
        ['Recognition', providers?.transcription],
        ...(providers?.substituted ?? []).map(({ field, asked, used }): [string, string] => [
          words(field),
          `${asked} is not configured; ${used} took its place`,
        ]),
      ]}
    />
  );
}

function Cost({ call }: { call: Call }) {
  const usage = useOperation('GET /api/calls/{call_id}/usage', { path: { call_id: call.call_id } });
  return (
    <div class="stack">
      <Facts of={[['Carrier', dollars(call.cost_usd)]]} />
      <Loaded from={usage}>
        {({ model }) =>
          model.length === 0 ? (
            <p class="quiet">No language model was used.</p>
          ) : (
            <Table
              label="Use of language models"
              items={model}
              keyOf={(item) => item.provider + item.model}
              columns={[
                { name: 'Model', cell: (item) => `${item.provider} ${item.model}` },
                { name: 'Requests', cell: (item) => count(item.requests), isNumeric: true },
                { name: 'Tokens in', cell: (item) => count(item.input_tokens), isNumeric: true },
                {
                  name: 'of them cached',
                  cell: (item) => count(item.cached_input_tokens),
                  isNumeric: true,
                  isWide: true,
                },
                { name: 'Tokens out', cell: (item) => count(item.output_tokens), isNumeric: true },
              ]}
            />
          )
        }
      </Loaded>
    </div>
  );
}
