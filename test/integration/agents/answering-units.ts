import { answeringAgent, answeringLookup, type Answering } from '../../../src/agents/answering.js';
import type { Lookup } from '../../../src/agents/definitions/lookup.js';
import { defineUnits } from '../../../src/store/unit.js';

/** {@link answeringAgent} and {@link answeringLookup} as units, as the calls room composes them into its own. */
export const answeringUnits = defineUnits('answering_test', {
  answering(
    tx,
    args: { calledNumber: string; workspace: string; chosenId?: string; newAgentId: string; at: number },
  ): Promise<Answering> {
    return answeringAgent(tx, args);
  },

  lookup(tx, args: { calledNumber: string; workspace: string }): Promise<Lookup | null> {
    return answeringLookup(tx, args);
  },
});
