// `npm run states`: writes docs/states.md, every life cycle as the sources have it in their tables.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
export const STATES_PAGE = 'docs/states.md';

/** In the order of the page. `table` is the name in tools/life-cycles.ts. */
const LIFE_CYCLES = [
  {
    heading: 'Calls',
    source: 'src/calls/record/call-machine.ts',
    table: 'callMachine',
    about:
      '`queued` waits for its time; `missed` is an incoming call that was not answered. A carrier that reports only the ' +
      'end makes the call pass the states in between, so that each is announced once and in order.',
  },
  {
    heading: 'Dial attempts',
    source: 'src/calls/queue/dial-attempt.ts',
    table: 'attemptMachine',
    about:
      '`dialling` is durable before the carrier is asked. From `uncertain`, an attempt goes back to `pending` only where ' +
      'the carrier has said that no phone rang, or ignores a repeated reference.',
  },
  {
    heading: 'Actions on a live call',
    source: 'src/calls/live/actions/call-action.ts',
    table: 'actionMachine',
    about:
      'What a process is asked to do in a call that it carries. Only `waiting` may be taken, by one process; what was not ' +
      'taken in time is `withdrawn`, and waits again where the same request is repeated.',
  },
  {
    heading: 'After-call work',
    source: 'src/calls/jobs/job.ts',
    table: 'jobMachine',
    about: 'Recordings and analyses. Work that is done is deleted.',
  },
  {
    heading: 'Batches',
    source: 'src/batches/record/batch-machine.ts',
    table: 'batchMachine',
    about: '`loading` is never shown. A batch that is over begins again with `retry-failed`.',
  },
  {
    heading: 'Recipients of a batch',
    source: 'src/batches/record/batch-machine.ts',
    table: 'recipientMachine',
    about:
      '`dialling` lasts until the call of the recipient is over; `retry_wait` waits for another attempt.',
  },
  {
    heading: 'Executions of a schedule',
    source: 'src/schedules/record/schedule-machine.ts',
    table: 'executionMachine',
    about: '`held` is `pending` in a paused schedule; `skipped` would have overlapped the run before it.',
  },
  {
    heading: 'Webhook deliveries',
    source: 'src/webhooks/deliveries/delivery.ts',
    table: 'deliveryMachine',
    about:
      '`sending` is leased to one process. A delivery that is over begins again when it is resent or replayed.',
  },
];

/** The text of docs/states.md. */
export async function describeStates() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'tools/life-cycles.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  // Beside the sources, so that their packages are found; a module in memory has no place of its own.
  const file = new URL(`../node_modules/.cache/states-${process.pid}.mjs`, import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, outputFiles[0].text);
  try {
    return pageOf(await import(file.href));
  } finally {
    rmSync(file);
  }
}

function pageOf(machines) {
  const parts = LIFE_CYCLES.map(({ heading, source, table, about }) => {
    const diagram = diagramOf(machines[table].rules);
    return `## ${heading}\n\n${about} Table: [${source}](../${source}).\n\n\`\`\`mermaid\n${diagram}\n\`\`\`\n`;
  });
  const about = 'Written by `npm run states` from the tables that the service runs on.';
  return `# Life cycles\n\n${about}\n\n${parts.join('\n')}\n${endsOf(machines.ENDED_REASONS)}`;
}

/** Every way a call can end, as `ended_reason`, `fault` and `error` have it. */
function endsOf(reasons) {
  const code = (word) => (word === null ? '–' : `\`${word}\``);
  const rows = Object.entries(reasons).map(([reason, { status, fault, error }]) => [
    ...[reason, status, fault].map(code),
    error ?? '–',
  ]);
  const about =
    'Every call ends once, with one of these. `fault` is whose doing an unwanted end was, `error` says it in words. ' +
    'Table: [src/calls/record/ended-reason.ts](../src/calls/record/ended-reason.ts).';
  const head = ['ended_reason', 'status', 'fault', 'error'].map(code);
  return `## Ends of calls\n\n${about}\n\n${tableOf(head, rows)}\n`;
}

/** With columns of one width, as the formatter has them. */
function tableOf(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells, filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], filler)).join(' | ')} |`;
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n');
}

function diagramOf(rules) {
  const states = Object.keys(rules);
  const arrows = states.flatMap((state) => rules[state].to.map((next) => `  ${state} --> ${next}`));
  const ends = states.filter((state) => rules[state].to.length === 0).map((state) => `  ${state} --> [*]`);
  return ['stateDiagram-v2', `  [*] --> ${states[0]}`, ...arrows, ...ends].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL(`../${STATES_PAGE}`, import.meta.url), await describeStates());
