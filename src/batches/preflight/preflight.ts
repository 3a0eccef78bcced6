import { decide } from '#policy/deciding/decide.js';
import type { NumberHistory } from '#policy/decisions/number-history.js';
import type { Decision, RefusalReason } from '#policy/deciding/decision.js';
import { rulesWith, type PolicyRules } from '#policy/deciding/policy-rules.js';
import type { BadRow, Intake, IntakeRecipient } from '#batches/intake/intake.js';
import { playThrough, type PlayedForecast, type PlayedBatch } from './play-through.js';

/** Rows listed per kind; all are counted. */
const MOST_NAMED = 1_000;

/** A batch to forecast, with the history of its numbers. Instants are epoch milliseconds. */
export interface ForecastTask extends Omit<PlayedBatch, 'numbers' | 'decide'> {
  slices: Intake['slices'];
  /** By phone number; numbers without history are missing. */
  histories: ReadonlyMap<string, NumberHistory>;
  rules: PolicyRules;
}

/** A row that is not called, or not at the time of the batch. */
export interface NamedRow extends BadRow {
  phoneNumber: string;
  reason: RefusalReason | 'duplicate';
  /** When it is called; null for never. */
  until: number | null;
}

/** Rows of one kind: their number, and the first of them. */
export interface Rows {
  count: number;
  first: NamedRow[];
}

/** The result of a forecast, by row and by hour. */
export interface Forecast {
  duplicates: Rows;
  suppressed: Rows;
  /** Refused for another reason. */
  refused: Rows;
  /** Deferred when first due: outside the calling hours, or called too often. */
  deferred: Rows;
  plan: PlayedForecast;
}

const NO_HISTORY: NumberHistory = { suppression: null, attempts: [] };

/** Forecasts a batch with the policy's decision on each number and the dispatcher's pacing rule. Pure. */
export function forecast(task: ForecastTask): Forecast {
  const rows = { duplicates: none(), suppressed: none(), refused: none(), deferred: none() };
  const rules = rulesWith(task.rules, task.window);
  const recipients = recipientsOf(task.slices);
  const deferred = new Set<number>();
  for (const { phone_number: phoneNumber, row } of recipients.filter(({ duplicate }) => duplicate))
    name(rows.duplicates, {
      row,
      phoneNumber,
      reason: 'duplicate',
      until: null,
      message: 'stands in the list before',
    });
  const called = recipients.filter(({ duplicate }) => !duplicate);
  const decideAbout = (number: number, now: number): Decision => {
    const { phone_number: phoneNumber, row } = called[number]!;
    const { suppression, attempts } = task.histories.get(phoneNumber) ?? NO_HISTORY;
    const decision = decide({ phoneNumber, now, suppression, attempts: attempts.map(({ at }) => at) }, rules);
    const told = { row, phoneNumber, message: detailOf(decision) };
    if (decision.verdict === 'skip') {
      const kind = decision.reason === 'suppressed' ? rows.suppressed : rows.refused;
      name(kind, { ...told, reason: decision.reason, until: null });
    } else if (decision.verdict === 'defer' && !deferred.has(number)) {
      deferred.add(number);
      name(rows.deferred, { ...told, reason: decision.reason, until: decision.until });
    }
    return decision;
  };
  const plan = playThrough({ ...task, numbers: called.length, decide: decideAbout });
  return { ...rows, plan };
}

function recipientsOf(slices: Intake['slices']): IntakeRecipient[] {
  return slices.flatMap(({ text }) => JSON.parse(text) as IntakeRecipient[]);
}

function none(): Rows {
  return { count: 0, first: [] };
}

function name(kind: Rows, row: Omit<NamedRow, 'field'>): void {
  kind.count += 1;
  if (kind.first.length < MOST_NAMED) kind.first.push({ ...row, field: 'phone_number' });
}

function detailOf(decision: Decision): string {
  const [finding] = decision.findings;
  const objection = (finding?.objection ?? 'refused').replaceAll('_', ' ');
  return finding?.detail ? `${objection} (${finding.detail})` : objection;
}
