// From a table of people to calls: dropped, checked row by row, looked ahead, and only then started.
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { addressOf, request, send } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useAction } from '../../ui/actions.js';
import { AgentField } from '../../ui/agent-field.js';
import { SelectField, TextField } from '../../ui/form.js';
import { plural } from '../../ui/format.js';
import { Card, Page, Trouble } from '../../ui/parts.js';
import { Table } from '../../ui/table.js';
import { Preflight } from './preflight.js';
import { recipientsOf } from './recipients.js';

type Check = Schemas['BatchPreflight'];

export interface Options {
  name: string;
  agentId: string;
  concurrency: string;
  scheduledTime: string;
  windowStart: string;
  windowEnd: string;
  retries: string;
}

const STAGES = ['Table', 'Check', 'Look ahead', 'Start'];
const FIRST_OPTIONS: Options = {
  name: '',
  agentId: '',
  concurrency: '10',
  scheduledTime: '',
  windowStart: '',
  windowEnd: '',
  retries: '0',
};

export function NewBatchPage() {
  const [file, setFile] = useState<File | null>(null);
  const [check, setCheck] = useState<Check | null>(null);
  const [options, setOptions] = useState(FIRST_OPTIONS);
  const [ahead, setAhead] = useState<Schemas['BatchPreflight'] | null>(null);
  const [, navigate] = useLocation();
  const chosen = useRef<File | null>(null);

  const checking = useAction(async () => {
    const form = new FormData();
    if (chosen.current) form.append('file', chosen.current);
    setCheck((await send('POST', '/api/batches/import?dry_run=true', form)) as Check);
  }, true);
  const looking = useAction(async () => {
    const people = file ? recipientsOf(await file.text()) : null;
    if (!people) throw new Error('The table has no column of phone numbers.');
    setAhead(
      await request('POST /api/batches/preflight', { body: { to_number: people, ...fieldsOf(options) } }),
    );
  }, true);
  const starting = useAction(async () => {
    const form = new FormData();
    if (file) form.append('file', file);
    const batch = (await send('POST', importAddress(options), form)) as Schemas['BatchImported'];
    navigate(`/batches/${batch.id}`);
    return 'The batch is accepted.';
  }, true);

  const take = (taken: File): void => {
    chosen.current = taken;
    setFile(taken);
    setCheck(null);
    setAhead(null);
    if (options.name === '') setOptions({ ...options, name: taken.name.replace(/\.\w+$/, '') });
    checking.run();
  };
  const change = (part: Partial<Options>): void => {
    setOptions({ ...options, ...part });
    // What was looked ahead is of the options before.
    setAhead(null);
  };
  const stage = !file ? 0 : !check ? 1 : !ahead ? 2 : 3;
  return (
    <Page title="New batch" over={['/batches', 'Batches']}>
      <ol class="stages" aria-label="Stages">
        {STAGES.map((name, index) => (
          <li key={name} aria-current={index === stage ? 'step' : undefined}>
            {index + 1}. {name}
          </li>
        ))}
      </ol>
      <DropZone file={file} onFile={take} />
      {checking.isRunning && <progress aria-label="The table is checked" />}
      {checking.problem && <Trouble problem={checking.problem} retry={checking.run} />}
      {check && <CheckResult check={check} />}
      {check && check.valid > 0 && (
        <Card title="How they are called">
          <OptionFields options={options} change={change} problem={looking.problem ?? starting.problem} />
          <div class="row more">
            <button
              type="button"
              class={ahead ? '' : 'primary'}
              disabled={looking.isRunning || options.agentId === ''}
              onClick={looking.run}
            >
              {looking.isRunning ? 'Looking ahead …' : 'Look ahead'}
            </button>
          </div>
        </Card>
      )}
      {looking.problem && <Trouble problem={looking.problem} />}
      {ahead && (
        <Preflight ahead={ahead}>
          {starting.problem && <Trouble problem={starting.problem} />}
          <button
            type="button"
            class="primary big"
            disabled={starting.isRunning || ahead.callable_numbers === 0}
            onClick={starting.run}
          >
            {starting.isRunning ? 'Starting …' : `Call ${plural(ahead.callable_numbers, 'number')}`}
          </button>
        </Preflight>
      )}
    </Page>
  );
}

function DropZone({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer?.files[0];
        if (dropped) onFile(dropped);
      }}
    >
      <strong>{file ? file.name : 'Drop a table of people here'}</strong>
      <span class="quiet">
        CSV with a column <code>phone_number</code>; <code>name</code> and all other columns are given to the
        agent.
      </span>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        aria-label="Table of people"
        hidden
        onChange={(event) => {
          const picked = event.currentTarget.files?.[0];
          if (picked) onFile(picked);
        }}
      />
      <button type="button" class={file ? '' : 'primary'} onClick={() => input.current?.click()}>
        {file ? 'Take another file' : 'Choose a file'}
      </button>
    </div>
  );
}

function CheckResult({ check }: { check: Check }) {
  return (
    <Card title="What is in the table">
      <div class="stack tight">
        <p>
          <span class="badge good">{plural(check.valid, 'row')} fit</span>{' '}
          {check.invalid.count > 0 && (
            <span class="badge bad">{plural(check.invalid.count, 'row')} do not</span>
          )}{' '}
          {check.duplicates.count > 0 && (
            <span class="badge warn">{plural(check.duplicates.count, 'repeated number')}</span>
          )}
        </p>
        <p class="quiet">
          Given to the agent: {check.columns.length > 0 ? check.columns.join(', ') : 'nothing but the number'}
          .
        </p>
        {check.invalid.count > 0 && (
          <Table
            label="Rows that do not fit"
            items={check.invalid.rows}
            keyOf={({ row, field }) => `${row}${field}`}
            columns={[
              { name: 'Row', cell: ({ row }) => row },
              { name: 'Column', cell: ({ field }) => field },
              { name: 'What is wrong', cell: ({ message }) => message },
            ]}
          />
        )}
        {check.invalid.count > 0 && (
          <p class="quiet">These rows are left out; correct the file to have them called.</p>
        )}
      </div>
    </Card>
  );
}

interface OptionFieldsProps {
  options: Options;
  change: (part: Partial<Options>) => void;
  problem: { about(field: string): string | undefined } | null;
}

function OptionFields({ options, change, problem }: OptionFieldsProps) {
  return (
    <div class="columns">
      <TextField
        label="Name"
        value={options.name}
        onInput={(name) => change({ name })}
        wrong={problem?.about('name')}
      />
      <AgentField
        value={options.agentId}
        onInput={(agentId) => change({ agentId })}
        wrong={problem?.about('agent_id')}
      />
      <TextField
        label="Calls at once"
        type="number"
        min="1"
        max="1000"
        value={options.concurrency}
        onInput={(concurrency) => change({ concurrency })}
        wrong={problem?.about('max_concurrency')}
      />
      <TextField
        label="Begins"
        type="datetime-local"
        hint="Your time; empty is now."
        value={options.scheduledTime}
        onInput={(scheduledTime) => change({ scheduledTime })}
        wrong={problem?.about('scheduled_time')}
      />
      <TextField
        label="Not before"
        type="time"
        hint="In the time of the people called."
        value={options.windowStart}
        onInput={(windowStart) => change({ windowStart })}
        wrong={problem?.about('call_window.start')}
      />
      <TextField
        label="Not after"
        type="time"
        value={options.windowEnd}
        onInput={(windowEnd) => change({ windowEnd })}
        wrong={problem?.about('call_window.end')}
      />
      <SelectField
        label="Try again when not reached"
        value={options.retries}
        onInput={(retries) => change({ retries })}
        choices={[
          ['0', 'Never'],
          ['1', 'Once'],
          ['2', 'Twice'],
          ['3', 'Three times'],
        ]}
      />
    </div>
  );
}

/** The fields of a batch that the options stand for; what is empty is left to the service. */
function fieldsOf(options: Options): Omit<Schemas['BatchRequest'], 'to_number'> {
  return {
    agent_id: options.agentId,
    ...(options.name === '' ? {} : { name: options.name }),
    ...(options.concurrency === '' ? {} : { max_concurrency: Number(options.concurrency) }),
    ...(options.scheduledTime === ''
      ? {}
      : { scheduled_time: new Date(options.scheduledTime).toISOString() }),
    ...(options.windowStart === '' || options.windowEnd === ''
      ? {}
      : { call_window: { start: options.windowStart, end: options.windowEnd } }),
    ...(options.retries === '0' ? {} : { retry_policy: { max_retries: Number(options.retries) } }),
  };
}

function importAddress(options: Options): string {
  const { call_window: window, retry_policy: retries, ...plain } = fieldsOf(options);
  const query = {
    ...plain,
    ...(window ? { call_window: JSON.stringify(window) } : {}),
    ...(retries ? { retry_policy: JSON.stringify(retries) } : {}),
  };
  return addressOf('POST /api/batches/import', { query: query as Record<string, string> });
}
