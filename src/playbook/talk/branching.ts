import type { BranchCase } from '#playbook/steps/playbook-step.js';

/**
 * The name of the step after a `branch`: `next` of the first case that holds, else `next` of the branch.
 * @param memory the values that the cases compare; `fillIfKnown` returns null for a text with an unknown variable
 */
export function branchTo(
  branch: { cases: readonly BranchCase[]; next: string },
  memory: { valueOf(name: string): string | null; fillIfKnown(text: string): string | null },
): string {
  return branch.cases.find((one) => holds(one, memory))?.next ?? branch.next;
}

/** True if all conditions of a case hold. A variable without a value meets `known: false` only. */
function holds(one: BranchCase, memory: Parameters<typeof branchTo>[1]): boolean {
  const value = memory.valueOf(one.variable);
  if (typeof one.known === 'boolean' && one.known !== (value !== null)) return false;
  const limits = [one.is, one.at_least, one.at_most].some((limit) => limit !== null && limit !== undefined);
  if (!limits) return true;
  if (value === null) return false;
  const compared = value.toLowerCase();
  if (one.is && !one.is.some((other) => memory.fillIfKnown(other)?.toLowerCase() === compared)) return false;
  if (isSet(one.at_least) && !(compare(value, one.at_least) >= 0)) return false;
  return !isSet(one.at_most) || compare(value, one.at_most) <= 0;
}

function isSet<Limit>(limit: Limit | null | undefined): limit is Limit {
  return limit !== null && limit !== undefined;
}

/** Negative, 0 or positive. Numbers compare by size, days and times as text; NaN if they cannot be compared. */
function compare(value: string, limit: number | string): number {
  if (typeof limit === 'number') return value.trim() === '' ? NaN : Number(value) - limit;
  return value < limit ? -1 : Number(value > limit);
}
