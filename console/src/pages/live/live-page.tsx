// Every call that is going on, by what it is doing.
import { Link } from 'wouter-preact';
import { request } from '../../api/client.js';
import type { Call, CallStatus } from '../../api/contract.js';
import { useRefresh } from '../../api/live.js';
import { useOperation } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { ActionButton } from '../../ui/actions.js';
import { clock, plural } from '../../ui/format.js';
import { Card, Empty, Loaded, Page } from '../../ui/parts.js';
import { useListening } from '../call/listening.js';
import { isTalking, nameOf } from '../call/call-states.js';

const GROUPS: [string, CallStatus[]][] = [
  ['Waiting', ['queued', 'scheduled']],
  ['Ringing', ['initiated', 'connecting']],
  ['Talking', ['connected', 'active']],
  ['Ending', ['ending']],
];

export function LivePage() {
  const calls = useOperation('GET /api/calls', { query: { live: true, limit: 100 } }, useRefresh());
  return (
    <Page title="Live" lead="All calls that are going on now. Listen to one, or open it to speak in it.">
      <Loaded from={calls}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <Card>
              <Empty title="No call is going on">
                <p>Calls show here from the moment they are placed until they are over.</p>
                <div class="row">
                  <Link class="button primary" href="/calls/new">
                    Call a number
                  </Link>
                  <Link class="button" href="/talk">
                    Talk to an agent
                  </Link>
                </div>
              </Empty>
            </Card>
          ) : (
            <>
              <p class="quiet">
                {plural(data.length, 'call')}
                {hasMore && ', and more'}
              </p>
              <div class="live-groups">
                {GROUPS.map(([name, states]) => {
                  const group = data.filter(({ status }) => states.includes(status));
                  return (
                    <section key={name} class="stack tight">
                      <h2>
                        {name} <span class="quiet">{group.length}</span>
                      </h2>
                      {group.length === 0 && <p class="quiet small">None</p>}
                      {group.map((call) => (
                        <LiveCall key={call.id} call={call} />
                      ))}
                    </section>
                  );
                })}
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function LiveCall({ call }: { call: Call }) {
  const listening = useListening(call.call_id);
  const number = call.direction === 'outbound' ? call.to_phone : call.from_phone;
  const since = call.answered_at ?? call.created_at;
  return (
    <article class="card stack tight">
      <div class="row between">
        <Link href={`/calls/${call.call_id}`}>{nameOf(call) ?? (number || 'Browser')}</Link>
        <span class="mono quiet">{clock((Date.now() - new Date(since).getTime()) / 1000)}</span>
      </div>
      <span class="quiet small break">
        {call.direction} · {call.agent_name} {nameOf(call) && `· ${number}`}
      </span>
      <div class="row">
        {isTalking(call.status) && (
          <button
            type="button"
            class="small"
            aria-pressed={listening.isOn}
            onClick={listening.isOn ? listening.stop : listening.start}
          >
            {listening.isOn ? 'Stop listening' : 'Listen'}
          </button>
        )}
        {may('write') && (
          <ActionButton
            class="small danger"
            confirm={{
              title: 'End this call?',
              text: 'The person hears the line close at once.',
              label: 'End the call',
            }}
            perform={async () => {
              await request('POST /api/calls/{call_id}/disconnect', { path: { call_id: call.call_id } });
            }}
          >
            End
          </ActionButton>
        )}
      </div>
      {listening.problem !== '' && <p class="small quiet">{listening.problem}</p>}
    </article>
  );
}
