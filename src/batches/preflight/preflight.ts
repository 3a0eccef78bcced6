import { decide } from '#policy/deciding/decide.js';
import type { NumberHistory } from '#policy/decisions/number-history.js';
import { decisiveFindings, type Decision, type RefusalReason } from '#policy/deciding/decision.js';
import { withOwnWindow, type PolicyRules } from '#policy/deciding/policy-rules.js';
import type { BadRow, Intake, IntakeRecipient } from '#batches/intake/intake.js';
import { MissingVariables } from '#agents/definitions/missing-variables.js';
import type { RequestWarning } from '#kernel/input/request-warnings.js';
import { lackingRow } from '#batches/intake/lacking-row.js';
import { simulateBatch, type Simulation, type SimulatedBatch } from './simulate-batch.js';

/** How many rows of each kind are listed; all are counted. */
const MAX_LISTED = 1_000;

/** A batch to forecast, with the history of its numbers. Instants are epoch milliseconds. */
export interface ForecastTask extends Omit<SimulatedBatch, 'numbers' | 'decide'> {
  slices: Intake['slices'];
  /** The variables that the agent needs. */
  needed: readonly string[];
  /** The histories by number; numbers without a history are absent. */
  histories: ReadonlyMap<string, NumberHistory>;
  rules: PolicyRules;
}

/** A row that would not be called, or not when the batch runs. */
export interface ListedRow extends Pick<BadRow, 'row' | 'message'> {
  phoneNumber: string;
  reason: RefusalReason | 'duplicate';
  /** When the number is considered again; null for never. */
  until: number | null;
}

/** Rows of one kind: how many there are, and the first of them. */
export interface ListedRows {
  count: number;
  first: ListedRow[];
}

/** The result of a forecast, by row and by hour. */
export interface Forecast {
  duplicates: ListedRows;
  suppressed: ListedRows;
  /** Refused for another reason. */
  refused: ListedRows;
  /** Deferred when first due: outside the calling hours, or called too often. */
  deferred: ListedRows;
  /** Warnings about rows that lack variables which the agent needs. */
  missing: RequestWarning[];
  plan: Simulation;
}

const NO_HISTORY: NumberHistory = { suppression: null, attempts: [] };

/**
 * Forecasts a batch with the policy's decision on each number and the dispatcher's pacing rule. A pure function, which
 * runs on the batch thread.
 */
export function forecast(task: ForecastTask): Forecast {
  const rows = { duplicates: noRows(), suppressed: noRows(), refused: noRows(), deferred: noRows() };
  const rules = withOwnWindow(task.rules, task.window);
  const recipients = recipientsOf(task.slices);
  const deferred = new Set<number>();
  for (const { phone_number: phoneNumber, row, firstRow } of recipients.filter(({ duplicate }) => duplicate))
    addRow(rows.duplicates, {
      row,
      phoneNumber,
      reason: 'duplicate',
      until: null,
      message: `has the number of row ${firstRow}`,
    });
  const called = recipients.filter(({ duplicate }) => !duplicate);
  // Also lists the number, if it is refused, or deferred for the first time.
  const decideAndList = (number: number, now: number): Decision => {
    const { phone_number: phoneNumber, row } = called[number]!;
    const { suppression, attempts } = task.histories.get(phoneNumber) ?? NO_HISTORY;
    const decision = decide({ phoneNumber, now, suppression, attempts: attempts.map(({ at }) => at) }, rules);
    const listed = { row, phoneNumber, message: objectionText(decision) };
    if (decision.verdict === 'skip') {
      const kind = decision.reason === 'suppressed' ? rows.suppressed : rows.refused;
      addRow(kind, { ...listed, reason: decision.reason, until: null });
    } else if (decision.verdict === 'defer' && !deferred.has(number)) {
      deferred.add(number);
      addRow(rows.deferred, { ...listed, reason: decision.reason, until: decision.until });
    }
    return decision;
  };
  const plan = simulateBatch({ ...task, numbers: called.length, decide: decideAndList });
  const missing = new MissingVariables();
  for (const recipient of called)
    for (const { names, row } of lackingRow(recipient, task.needed)) missing.add(names, row);
  return { ...rows, missing: missing.warnings(), plan };
}

function recipientsOf(slices: Intake['slices']): IntakeRecipient[] {
  return slices.flatMap(({ text }) => JSON.parse(text) as IntakeRecipient[]);
}

function noRows(): ListedRows {
  return { count: 0, first: [] };
}

function addRow(kind: ListedRows, row: ListedRow): void {
  kind.count += 1;
  if (kind.first.length < MAX_LISTED) kind.first.push(row);
}

/** The decisive objection of a decision as text, such as `attempt cap (3 in 24 h)`. */
function objectionText(decision: Decision): string {
  const [finding] = decisiveFindings(decision);
  const objection = (finding?.objection ?? 'refused').replaceAll('_', ' ');
  return finding?.detail ? `${objection} (${finding.detail})` : objection;
}
