/**
 * A named place where a step has been done and the next has not begun. A test hands in what shall happen there, such as
 * the death of the process; in service nobody is told, and passing a place costs one look at a missing value.
 */
export type Failpoint = (place: string) => void;
