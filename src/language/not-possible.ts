/** A value that was recognised, but is not allowed as an answer. */
export const NOT_POSSIBLE = Symbol('not possible');
