/** Understood, but outside what the question takes. */
export const NOT_POSSIBLE = Symbol('not possible');
