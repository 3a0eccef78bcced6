import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { request, RequestFailed } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { ActionForm } from '../../ui/action-form.js';
import { useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { SelectField, TextField } from '../../ui/form.js';
import { momentIn } from '../../ui/format.js';
import { Card, Page, Trouble } from '../../ui/parts.js';

/** Rhythms that are asked for often; any other is written as a cron expression. */
const RHYTHMS: [string, string][] = [
  ['once', 'Once'],
  ['0 9 * * *', 'Every day at nine'],
  ['0 9 * * MON-FRI', 'Every weekday at nine'],
  ['0 9 * * MON', 'Every Monday at nine'],
  ['0 9 1 * *', 'On the first of each month at nine'],
  ['custom', 'Another rhythm …'],
];
const TYPING_MS = 400;

export function NewSchedulePage() {
  const [, navigate] = useLocation();
  const [agentId, setAgentId] = useState('');
  const [number, setNumber] = useState('');
  const [name, setName] = useState('');
  const [rhythm, setRhythm] = useState('once');
  const [cron, setCron] = useState('*/30 9-17 * * MON-FRI');
  const [at, setAt] = useState('');
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const isOnce = rhythm === 'once';
  const expression = rhythm === 'custom' ? cron : rhythm;
  const action = useAction(async () => {
    const shared = {
      agent_id: agentId,
      phone_number: number,
      timezone: zone,
      ...(name === '' ? {} : { name }),
    };
    const made = isOnce
      ? await request('POST /api/scheduled-calls', { body: { ...shared, scheduled_time: at } })
      : await request('POST /api/scheduled-calls/recurring', {
          body: { ...shared, cron_expression: expression },
        });
    navigate(`/schedules/${made.id}`);
    return 'The schedule is set.';
  }, true);
  const { problem } = action;
  return (
    <Page title="New schedule" over={['/schedules', 'Schedules']}>
      <div class="columns">
        <ActionForm
          action={action}
          label="Set the schedule"
          runningLabel="Setting …"
          isReady={agentId !== '' && (!isOnce || at !== '')}
        >
          <AgentField value={agentId} onInput={setAgentId} wrong={problem?.about('agent_id')} />
          <TextField
            label="Number"
            type="tel"
            required
            placeholder="+15550100001"
            value={number}
            onInput={setNumber}
            wrong={problem?.about('phone_number')}
          />
          <TextField
            label="Name"
            hint="For this list."
            value={name}
            onInput={setName}
            wrong={problem?.about('name')}
          />
          <SelectField label="How often" value={rhythm} onInput={setRhythm} choices={RHYTHMS} />
          {isOnce && (
            <TextField
              label="When"
              type="datetime-local"
              required
              hint="In the zone below."
              value={at}
              onInput={setAt}
              wrong={problem?.about('scheduled_time')}
            />
          )}
          {rhythm === 'custom' && (
            <TextField
              label="Cron expression"
              hint="Minute, hour, day of the month, month, day of the week."
              value={cron}
              onInput={setCron}
              wrong={problem?.about('cron_expression')}
            />
          )}
          <ZoneField value={zone} onInput={setZone} wrong={problem?.about('timezone')} />
        </ActionForm>
        {!isOnce && <Preview expression={expression} zone={zone} />}
      </div>
    </Page>
  );
}

function ZoneField({
  value,
  onInput,
  wrong,
}: {
  value: string;
  onInput: (zone: string) => void;
  wrong: string | undefined;
}) {
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <>
      <TextField
        label="Time zone"
        hint="Of the person called; clocks that change are followed."
        list="zones"
        {...{ value, onInput, wrong }}
      />
      <datalist id="zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** A cron expression in words, and the moments that it means. */
function Preview({ expression, zone }: { expression: string; zone: string }) {
  const [preview, setPreview] = useState<Schemas['RecurrencePreview'] | RequestFailed | null>(null);
  useEffect(() => {
    const asked = new AbortController();
    const timer = setTimeout(() => {
      request('POST /api/scheduled-calls/preview', {
        body: { cron_expression: expression, timezone: zone },
        signal: asked.signal,
      })
        .then(setPreview)
        .catch((error: unknown) => error instanceof RequestFailed && setPreview(error));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [expression, zone]);
  if (preview === null) return null;
  if (preview instanceof RequestFailed) return <Trouble problem={preview} />;
  return (
    <Card title={preview.description}>
      <ol class="plain-list">
        {preview.next_executions.map(({ utc }) => (
          <li key={utc}>{momentIn(utc, preview.timezone)}</li>
        ))}
      </ol>
    </Card>
  );
}
