import { z } from 'zod';
import { STEERING_MODES } from '#conversation/talk/conversation.js';

/** The schema of the field `mode` of a live call, for the routes that steer calls and for the events of live calls. */
export const steeringMode = z.enum(STEERING_MODES).meta({
  description:
    'Who talks with the caller now: the agent, nobody (`muted`), the hold sound (`held`), an operator in the place of the agent, or a person on another line (`joined`).',
});
