import { z } from 'zod';

/** An object in a playbook. An unknown field is refused, with the names of the known fields in the error. */
export function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `is not known here, where there may be: ${names}` : undefined,
  });
}
