/**
 * A named place between the steps of a work: one step is done, durably or not, and the next has not begun. A test
 * hands in what shall happen there, such as the death of the process; in service nobody is told, and passing a place
 * costs one look at a missing value. Each room names its own places.
 */
export type FailpointAt<Place extends string> = (place: Place) => void;
