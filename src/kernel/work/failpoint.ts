/**
 * Called at a named place between two steps, for crash tests, which may end the process there. Undefined in production.
 * Each module names its own places.
 */
export type FailpointAt<Place extends string> = (place: Place) => void;
