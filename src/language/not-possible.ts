/**
 * The result of reading an answer that was understood but is outside the limits of its question, such as a day in the
 * past, or is no valid phone number. The agent then says so and asks again.
 */
export const NOT_POSSIBLE = Symbol('not possible');
