/** The tool with which a model saves what a talk step collects. */
export const SAVE_ANSWERS = 'save_answers';
/** The tool with which a model says that a talk step is over. */
export const LEAVE_STEP = 'leave_step';
