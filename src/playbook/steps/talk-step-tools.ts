/*
 * Names of the tools that a talk step has by itself. It cannot offer tools of the agent that have the same names.
 */

/** The tool by which the model saves values, in a talk step that collects some. */
export const SAVE_ANSWERS = 'save_answers';
/** The tool by which the model ends a talk step, if the step has exits with `said`. */
export const LEAVE_STEP = 'leave_step';
