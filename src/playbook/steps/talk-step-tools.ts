/* Names of the tools that the service adds to every talk step; tools of an agent cannot have these names. */

/** The tool by which the model saves the values that a talk step collects. */
export const SAVE_ANSWERS = 'save_answers';
/** The tool by which the model ends a talk step. */
export const LEAVE_STEP = 'leave_step';
