import { z } from 'zod';
import { jsonColumn } from '../store/statements/columns.js';
import { toPage, type Cursor, type Page } from '../store/page.js';
import { places } from '../store/statements/places.js';
import { defineUnits, type SqlValue, type Tx } from '../store/unit.js';
import { decide } from './decide.js';
import { Finding, REFUSAL_REASONS, VERDICTS, type Decision, type Question } from './decision.js';
import { COMPLIANCE_MODES, LARGEST_CAP, LONGEST_CAP_HOURS, type PolicyRules } from './policy-rules.js';
import { findSuppression, suppressionUnits } from './suppression-store.js';
import type { SuppressionRow } from './suppression.js';

/** When the policy is asked: as a call is accepted, and right before a carrier would hear of it. */
export const MOMENTS = ['accepted', 'dialling'] as const;
export type PolicyMoment = (typeof MOMENTS)[number];

/** A question to the policy. Instants are epoch milliseconds. */
export interface PolicyAsk {
  workspace: string;
  /** E.164. */
  phoneNumber: string;
  moment: PolicyMoment;
  /** What is asked for: the call or schedule that is being accepted, or the attempt that is about to dial. */
  subjectId: string;
  callId: string | null;
  now: number;
  /** When it would be dialled; now, when left out. */
  dialAt?: number;
  rules: PolicyRules;
}

/** A stored decision. */
export const DecisionRow = z.object({
  workspace: z.string(),
  phone_number: z.string(),
  decided_at: z.int(),
  subject_id: z.string(),
  moment: z.enum(MOMENTS),
  call_id: z.string().nullable(),
  mode: z.enum(COMPLIANCE_MODES),
  verdict: z.enum(VERDICTS),
  reason: z.enum(REFUSAL_REASONS).nullable(),
  until_at: z.int().nullable(),
  findings: jsonColumn(z.array(Finding)).nullable(),
});
export type DecisionRow = z.infer<typeof DecisionRow>;

const HOUR_MS = 3_600_000;

/**
 * Asks whether a number may be dialled, inside the transaction of whoever wants to, and stores the answer. Its cost
 * does not depend on how many numbers, entries or decisions there are.
 *
 * The stored answers are also the history that caps count: an attempt that was allowed to dial. Asking again for the
 * same attempt replaces that answer, since nothing came of it.
 */
export async function askPolicy(tx: Tx, ask: PolicyAsk): Promise<Decision> {
  const { workspace, phoneNumber, now, rules } = ask;
  if (ask.moment === 'dialling' && rules.mode === 'enforce') await takeTurn(tx, ask);
  const past = await pastOf(tx, { workspace, phoneNumber, now });
  const own = past.attempts.find((attempt) => attempt.subjectId === ask.subjectId);
  const decision = decide(
    {
      phoneNumber,
      now: ask.dialAt ?? now,
      suppression: past.suppression,
      attempts: past.attempts.filter((attempt) => attempt !== own).map((attempt) => attempt.at),
    },
    rules,
  );
  const row = rowOf(ask, decision);
  if (own) await removeRow(tx, ask, own.at);
  await insertRow(tx, row);
  return decision;
}

/** What is on record about a number: all that {@link decide} needs besides the rules. */
export interface NumberPast {
  suppression: Question['suppression'];
  attempts: { subjectId: string; at: number }[];
}

async function pastOf(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; now: number },
): Promise<NumberPast> {
  const entry = await findSuppression(tx, args);
  return { suppression: entry && shortened(entry), attempts: await attemptsOf(tx, args) };
}

function shortened(entry: SuppressionRow): Question['suppression'] {
  return { reason: entry.reason, until: entry.expires_at };
}

/** The limit is written out: SQLite plans a query anew for every value that is bound to one. */
const ATTEMPTS = `select subject_id, decided_at from number_decisions
  where workspace = ? and phone_number = ? and decided_at > ? and moment = 'dialling' and verdict = 'dial'
  order by decided_at desc limit ${LARGEST_CAP}`;

async function attemptsOf(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; now: number },
): Promise<NumberPast['attempts']> {
  const rows = await tx.all(
    ATTEMPTS,
    args.workspace,
    args.phoneNumber,
    args.now - LONGEST_CAP_HOURS * HOUR_MS,
  );
  return rows.map((row) => ({ subjectId: String(row['subject_id']), at: Number(row['decided_at']) }));
}

/** Processes that want to dial one number at the same time decide one after the other: a cap holds across all of them. */
async function takeTurn(tx: Tx, { workspace, phoneNumber }: PolicyAsk): Promise<void> {
  if (tx.dialect.engine !== 'postgres') return;
  await tx.get('select pg_advisory_xact_lock(hashtextextended(?, 0))', `${workspace} ${phoneNumber}`);
}

type DecisionColumns = Readonly<Record<string, SqlValue>>;

function rowOf(ask: PolicyAsk, decision: Decision): DecisionColumns {
  const { findings } = decision;
  return {
    workspace: ask.workspace,
    phone_number: ask.phoneNumber,
    decided_at: ask.now,
    subject_id: ask.subjectId,
    moment: ask.moment,
    call_id: ask.callId,
    mode: ask.rules.mode,
    verdict: decision.verdict,
    reason: decision.verdict === 'dial' ? null : decision.reason,
    until_at: decision.verdict === 'defer' ? decision.until : null,
    findings: findings.length === 0 ? null : JSON.stringify(findings),
  };
}

/** Who asks twice within a millisecond is told the second time as well, and that is what stays. */
async function insertRow(tx: Tx, row: DecisionColumns): Promise<void> {
  await tx.run(INSERT, ...Object.values(row));
}

const COLUMNS = Object.keys(DecisionRow.shape);
const KEY = ['workspace', 'phone_number', 'decided_at', 'subject_id'];
const INSERT = `insert into number_decisions (${COLUMNS.join(', ')}) values (${places(COLUMNS)})
  on conflict (${KEY.join(', ')}) do update set
  ${COLUMNS.filter((column) => !KEY.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

async function removeRow(tx: Tx, key: PolicyAsk, decidedAt: number): Promise<void> {
  await tx.run(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and decided_at = ? and subject_id = ?`,
    key.workspace,
    key.phoneNumber,
    decidedAt,
    key.subjectId,
  );
}

/** Takes back the word on an attempt that was allowed and then not made: no cap counts it. */
export async function forgetAttempt(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; subjectId: string },
): Promise<void> {
  await tx.run(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and subject_id = ? and moment = 'dialling' and verdict = 'dial'`,
    args.workspace,
    args.phoneNumber,
    args.subjectId,
  );
}

export const decisionUnits = defineUnits('decisions', {
  /** {@link askPolicy} as a unit of its own. */
  ask: askPolicy,

  /** What is on record about a number, for a look ahead that stores nothing. */
  past: pastOf,

  /** The same for many numbers at once, by number; those without a past are left out. At most some hundred numbers. */
  async pasts(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; now: number },
  ): Promise<Map<string, NumberPast>> {
    const pasts = new Map<string, NumberPast>();
    const pastAt = (phoneNumber: string) => {
      const past = pasts.get(phoneNumber) ?? { suppression: null, attempts: [] };
      pasts.set(phoneNumber, past);
      return past;
    };
    if (args.phoneNumbers.length === 0) return pasts;
    for (const entry of await suppressionUnits.check(tx, args)) {
      pastAt(entry.phone_number).suppression = shortened(entry);
    }
    const rows = await tx.all(
      `select phone_number, subject_id, decided_at from number_decisions
       where workspace = ? and phone_number in (${places(args.phoneNumbers)})
         and decided_at > ? and moment = 'dialling' and verdict = 'dial'`,
      args.workspace,
      ...args.phoneNumbers,
      args.now - LONGEST_CAP_HOURS * HOUR_MS,
    );
    for (const row of rows) {
      pastAt(String(row['phone_number'])).attempts.push({
        subjectId: String(row['subject_id']),
        at: Number(row['decided_at']),
      });
    }
    return pasts;
  },

  /** Forgets some of the decisions made before an instant, oldest first. Returns how many. */
  purge(tx, args: { decidedBefore: number; limit: number }): Promise<number> {
    const key = KEY.join(', ');
    return tx.run(
      `delete from number_decisions where (${key}) in (
         select ${key} from number_decisions where decided_at < ? order by decided_at limit ?)`,
      args.decidedBefore,
      args.limit,
    );
  },

  /** What was decided about a number, newest first. */
  async list(
    tx,
    args: {
      workspace: string;
      phoneNumber: string;
      verdict: readonly string[] | undefined;
      decidedAfter: number | undefined;
      decidedBefore: number | undefined;
      cursor: Cursor | null;
      limit: number;
    },
  ): Promise<Page<DecisionRow>> {
    const verdicts = args.verdict ?? VERDICTS;
    const before = args.cursor ?? { createdAt: args.decidedBefore ?? Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await tx.all(
      `select * from number_decisions
       where workspace = ? and phone_number = ? and verdict in (${places(verdicts)})
         and decided_at >= ? and (decided_at < ? or (decided_at = ? and subject_id < ?))
       order by decided_at desc, subject_id desc limit ?`,
      args.workspace,
      args.phoneNumber,
      ...verdicts,
      args.decidedAfter ?? 0,
      before.createdAt,
      before.createdAt,
      before.id,
      args.limit + 1,
    );
    const decisions = rows.map((row) => DecisionRow.parse(row));
    return toPage(decisions, args.limit, (row) => ({ createdAt: row.decided_at, id: row.subject_id }));
  },
});

/**
 * Cuts every tie between a number and a call that is erased. That the number was dialled still counts, and an entry of
 * the suppression list stays; which call it was, nobody can tell any more.
 */
export async function forgetCall(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; callId: string },
): Promise<void> {
  const ofCall = [args.workspace, args.phoneNumber, args.callId];
  await tx.run(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and call_id = ? and moment = 'accepted'`,
    ...ofCall,
  );
  for (const table of ['number_decisions', 'suppressions']) {
    await tx.run(
      `update ${table} set call_id = null where workspace = ? and phone_number = ? and call_id = ?`,
      ...ofCall,
    );
  }
}
