import { answeringAgent, type Answering } from '../../../src/agents/answering.js';
import { defineUnits } from '../../../src/store/unit.js';

/** {@link answeringAgent} in a unit of its own, as the calls room composes it into one of its own. */
export const answeringUnits = defineUnits('answering_test', {
  answering(
    tx,
    args: { calledNumber: string; workspace: string; newAgentId: string; at: number },
  ): Promise<Answering> {
    return answeringAgent(tx, args);
  },
});
