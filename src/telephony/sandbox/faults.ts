import type { Ids } from '#kernel/ids/ids.js';

/** What goes wrong in the network, on purpose. Shares are from 0 (never) to 1 (always). */
export interface SandboxFaults {
  /** How long the network takes to answer each request, in milliseconds. */
  latencyMs?: number;
  /** Share of requests to place that are carried out though their answer is lost: the asker sees a time-out. */
  lostAnswers?: number;
  /** How long a report is on its way, in milliseconds. */
  reportDelayMs?: number;
  /** Share of reports that arrive a second time, later. */
  duplicatedReports?: number;
  /** Share of reports that are held up, so that later ones overtake them. */
  reorderedReports?: number;
}

export const NO_FAULTS: Required<SandboxFaults> = {
  latencyMs: 0,
  lostAnswers: 0,
  reportDelayMs: 0,
  duplicatedReports: 0,
  reorderedReports: 0,
};

/** Draws lots: true in this share of cases. */
export function happens(share: number, ids: Ids): boolean {
  if (share <= 0) return false;
  return share >= 1 || ids.secret(4).readUInt32BE() / 2 ** 32 < share;
}

const FAULT_NAMES: ReadonlyMap<string, keyof SandboxFaults> = new Map([
  ['latency_ms', 'latencyMs'],
  ['lost_answers', 'lostAnswers'],
  ['report_delay_ms', 'reportDelayMs'],
  ['duplicated_reports', 'duplicatedReports'],
  ['reordered_reports', 'reorderedReports'],
]);
const LONGEST_DELAY_MS = 60_000;

/** Faults as a setting names them: `latency_ms=50,lost_answers=0.03`. Null when they cannot be understood. */
export function readFaults(written: string): SandboxFaults | null {
  const faults: SandboxFaults = {};
  for (const part of written.split(',')) {
    const [word, value, ...rest] = part.split('=').map((text) => text.trim());
    const name = FAULT_NAMES.get(word ?? '');
    const amount = value === undefined || value === '' ? Number.NaN : Number(value);
    const most = name?.endsWith('Ms') ? LONGEST_DELAY_MS : 1;
    if (name === undefined || rest.length > 0 || !(amount >= 0 && amount <= most)) return null;
    faults[name] = amount;
  }
  return faults;
}
