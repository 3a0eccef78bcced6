import type { Ids } from '../../kernel/ids.js';

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
