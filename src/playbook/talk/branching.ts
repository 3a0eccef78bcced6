import type { BranchCase } from '#playbook/steps/playbook-step.js';

/**
 * The name of the step after a `branch`: `next` of the first case that holds, else `next` of the branch.
 * @param memory the values that the cases compare; `fillIfKnown` returns null for a text with an unknown variable
 */
export function branchTo(
  branch: { cases: readonly BranchCase[]; next: string },
  memory: { valueOf(name: string): string | null; fillIfKnown(text: string): string | null },
): string {
  return branch.cases.find((branchCase) => holds(branchCase, memory))?.next ?? branch.next;
}

/** True if all conditions of a case hold. A variable without a value meets no comparison, only `known: false`. */
function holds(condition: BranchCase, memory: Parameters<typeof branchTo>[1]): boolean {
  const value = memory.valueOf(condition.variable);
  if (typeof condition.known === 'boolean' && condition.known !== (value !== null)) return false;
  const comparesValue = [condition.is, condition.at_least, condition.at_most].some(isSet);
  if (!comparesValue) return true;
  if (value === null) return false;
  const compared = value.toLowerCase();
  if (condition.is && !condition.is.some((text) => memory.fillIfKnown(text)?.toLowerCase() === compared))
    return false;
  if (isSet(condition.at_least) && !(compare(value, condition.at_least) >= 0)) return false;
  return !isSet(condition.at_most) || compare(value, condition.at_most) <= 0;
}

function isSet<Limit>(limit: Limit | null | undefined): limit is Limit {
  return limit !== null && limit !== undefined;
}

/** Negative, 0 or positive: by size for a number, else as text, which sorts days and times. NaN if not comparable. */
function compare(value: string, limit: number | string): number {
  if (typeof limit === 'number') return value.trim() === '' ? NaN : Number(value) - limit;
  return value < limit ? -1 : Number(value > limit);
}
