import type { BranchCase } from '#playbook/steps/playbook-step.js';

/** The next step of a branch: that of the first case that holds, else `otherwise`. */
export function branchTo(
  branch: { cases: readonly BranchCase[]; next: string },
  memory: { valueOf(name: string): string | null; known(text: string): string | null },
): string {
  return branch.cases.find((one) => holds(one, memory))?.next ?? branch.next;
}

function holds(one: BranchCase, memory: Parameters<typeof branchTo>[1]): boolean {
  const value = memory.valueOf(one.variable);
  if (typeof one.known === 'boolean' && one.known !== (value !== null)) return false;
  const limits = [one.is, one.at_least, one.at_most].some((limit) => limit !== null && limit !== undefined);
  if (!limits) return true;
  if (value === null) return false;
  const compared = value.toLowerCase();
  if (one.is && !one.is.some((other) => memory.known(other)?.toLowerCase() === compared)) return false;
  if (isSet(one.at_least) && !(compare(value, one.at_least) >= 0)) return false;
  return !isSet(one.at_most) || compare(value, one.at_most) <= 0;
}

function isSet<Limit>(limit: Limit | null | undefined): limit is Limit {
  return limit !== null && limit !== undefined;
}

/** Compares numbers by size, days and times as text; NaN if they cannot be compared. */
function compare(value: string, limit: number | string): number {
  if (typeof limit === 'number') return value.trim() === '' ? NaN : Number(value) - limit;
  return value < limit ? -1 : Number(value > limit);
}
