import type { Clock } from '#kernel/time/clock.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import { toDecisionResource, type DecisionResource } from './decision-resource.js';
import { decisionTransactions } from './decision-store.js';
import type { DecisionRow } from './decision-rows.js';
import { toNumberResource, type NumberResource } from './number-resource.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';

/** Filters of a list of decisions; instants are epoch milliseconds. */
export interface DecisionFilter {
  workspace: string;
  phoneNumber: string;
  verdict: readonly DecisionRow['verdict'][] | undefined;
  decidedAfter: number | undefined;
  decidedBefore: number | undefined;
}

/** Information about callees' numbers, for the routes under `/api/numbers`. */
export interface Numbers {
  /** The properties of a number, and whether it may be dialled now. Stores nothing. */
  get(workspace: string, phoneNumber: string): Promise<NumberResource>;
  /** The stored decisions about a number, newest first. */
  decisions(filter: DecisionFilter, cursor: Cursor | null, limit: number): Promise<Page<DecisionResource>>;
}

/** Creates the `Numbers` of a process. @param parts.rules the rules of the service */
export function createNumbers(parts: { store: Store; clock: Clock; rules: PolicyRules }): Numbers {
  const { store, clock, rules } = parts;
  return {
    async get(workspace, phoneNumber) {
      const now = clock.wallMs();
      const history = await store.read(decisionTransactions.history, { workspace, phoneNumber, now });
      return toNumberResource({ phoneNumber, history, now }, rules);
    },
    async decisions(filter, cursor, limit) {
      const page = await store.read(decisionTransactions.list, { ...filter, cursor, limit });
      return { items: page.items.map(toDecisionResource), next: page.next };
    },
  };
}
