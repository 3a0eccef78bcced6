/** The tool by which the model saves what a talk step collects. */
export const SAVE_ANSWERS = 'save_answers';
/** The tool by which the model ends a talk step. */
export const LEAVE_STEP = 'leave_step';
