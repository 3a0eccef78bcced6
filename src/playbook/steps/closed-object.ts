import { z } from 'zod';

/** An object of a playbook: a field that it does not have is refused with the names of those that it has. */
export function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `is not known here, where there may be: ${names}` : undefined,
  });
}
