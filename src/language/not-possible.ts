/** The result of reading a value that was understood but is outside the limits of the question, or no valid number. */
export const NOT_POSSIBLE = Symbol('not possible');
