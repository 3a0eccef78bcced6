import { z } from 'zod';

/**
 * The schema of an object in a playbook. It refuses an unknown field, with the names of the known fields in the error:
 * a misspelt field would only be noticed during a call.
 */
export function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `is not known here, where there may be: ${names}` : undefined,
  });
}
