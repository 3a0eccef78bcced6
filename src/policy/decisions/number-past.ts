import { places } from '../../store/statements/places.js';
import type { Tx } from '../../store/unit.js';
import type { Question } from '../deciding/decision.js';
import { LARGEST_CAP, LONGEST_CAP_HOURS } from '../deciding/policy-rules.js';
import { findSuppression, suppressionUnits } from '../suppressions/suppression-store.js';
import type { SuppressionRow } from '../suppressions/suppression.js';

const HOUR_MS = 3_600_000;

/** What is on record about a number: all that {@link decide} needs besides the rules. */
export interface NumberPast {
  suppression: Question['suppression'];
  attempts: { subjectId: string; at: number }[];
}

interface PastQuestion {
  workspace: string;
  phoneNumber: string;
  now: number;
  /** How many attempts are looked at, the newest first; all that a cap can count, when left out. */
  attemptsAtMost?: number;
}

/** An attempt that was allowed counts, as long as caps look back. */
export async function pastOf(tx: Tx, args: PastQuestion): Promise<NumberPast> {
  const entry = await findSuppression(tx, args);
  return { suppression: entry && shortened(entry), attempts: await attemptsOf(tx, args) };
}

function shortened(entry: SuppressionRow): Question['suppression'] {
  return { reason: entry.reason, until: entry.expires_at };
}

/** The limit is written out: SQLite plans a query anew for every value that is bound to one. */
const ATTEMPTS = `select subject_id, decided_at from number_decisions
  where workspace = ? and phone_number = ? and decided_at > ? and moment = 'dialling' and verdict = 'dial'
  order by decided_at desc limit`;

async function attemptsOf(tx: Tx, args: PastQuestion): Promise<NumberPast['attempts']> {
  const rows = await tx.all(
    `${ATTEMPTS} ${args.attemptsAtMost ?? LARGEST_CAP}`,
    args.workspace,
    args.phoneNumber,
    args.now - LONGEST_CAP_HOURS * HOUR_MS,
  );
  return rows.map((row) => ({ subjectId: String(row['subject_id']), at: Number(row['decided_at']) }));
}

/**
 * {@link pastOf} for many numbers at once, by number; those without a past are left out. At most some hundred numbers.
 */
export async function pastsOf(
  tx: Tx,
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
}
