import { z } from 'zod';
import type { SteeringMode } from '#conversation/talk/conversation.js';

const MODES: Record<SteeringMode, true> = {
  agent: true,
  muted: true,
  held: true,
  operator: true,
  joined: true,
};

/** The field `mode` of a live call. */
export const steeringMode = z.enum(Object.keys(MODES) as SteeringMode[]).meta({
  description:
    'Who talks with the caller now: the agent, nobody (`muted`), the hold sound (`held`), an operator in the place of the agent, or a person on another line (`joined`).',
});
