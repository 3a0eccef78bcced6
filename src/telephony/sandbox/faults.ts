import type { Ids } from '#kernel/ids/ids.js';

/**
 * The faults that the sandbox network injects (setting `SANDBOX_FAULTS`), to test the service against bad networks.
 * Shares are from 0 (never) to 1 (always).
 */
export interface SandboxFaults {
  /** Time that the network takes for each request of the service, in milliseconds. */
  latencyMs?: number;
  /** Share of dial requests whose answer is lost: the call is placed, but the service sees a timeout. */
  lostAnswers?: number;
  /** Delay of every report to the service, in milliseconds. */
  reportDelayMs?: number;
  /** Share of reports that are sent twice. */
  duplicatedReports?: number;
  /** Share of reports with a further delay, so that later reports of the call overtake them. */
  reorderedReports?: number;
}

/** A network without faults, the default. */
export const NO_FAULTS: Required<SandboxFaults> = {
  latencyMs: 0,
  lostAnswers: 0,
  reportDelayMs: 0,
  duplicatedReports: 0,
  reorderedReports: 0,
};

/** Decides at random whether a fault occurs. @param share its probability */
export function occurs(share: number, ids: Ids): boolean {
  if (share <= 0) return false;
  return share >= 1 || ids.secret(4).readUInt32BE() / 2 ** 32 < share;
}

/** The names of faults in the setting. */
const FAULT_NAMES: ReadonlyMap<string, keyof SandboxFaults> = new Map([
  ['latency_ms', 'latencyMs'],
  ['lost_answers', 'lostAnswers'],
  ['report_delay_ms', 'reportDelayMs'],
  ['duplicated_reports', 'duplicatedReports'],
  ['reordered_reports', 'reorderedReports'],
]);
/** The longest delay that the setting may have. */
const MAX_DELAY_MS = 60_000;

/** Parses faults from the text of the setting, such as `latency_ms=50,lost_answers=0.03`; null for an invalid text. */
export function readFaults(text: string): SandboxFaults | null {
  const faults: SandboxFaults = {};
  for (const part of text.split(',')) {
    const [written, value, ...rest] = part.split('=').map((side) => side.trim());
    const name = FAULT_NAMES.get(written ?? '');
    const amount = value === undefined || value === '' ? Number.NaN : Number(value);
    const max = name?.endsWith('Ms') ? MAX_DELAY_MS : 1;
    if (name === undefined || rest.length > 0 || !(amount >= 0 && amount <= max)) return null;
    faults[name] = amount;
  }
  return faults;
}
