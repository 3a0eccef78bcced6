import { z } from 'zod';

// The field names that a zod schema knows. `request-warnings.ts` warns of all other fields in a request.

/** The fields that a schema reads, by name. The value is the fields inside; null if they may be any. */
export type KnownFields = ReadonlyMap<string, KnownFields | null>;

/**
 * The fields of the objects that a schema reads, including objects within objects and within lists. Null for a schema
 * that accepts any field (free-form data), refuses unknown fields itself, preprocesses its input, or reads no object.
 */
export function knownFieldsOf(schema: unknown): KnownFields | null {
  if (schema instanceof z.ZodObject) return fieldsOfObject(schema);
  if (schema instanceof z.ZodArray) return knownFieldsOf(schema.element);
  if (schema instanceof z.ZodUnion) return fieldsOfUnion(schema.options);
  if (schema instanceof z.ZodPipe) return knownFieldsOf(schema.in);
  if (isWrapper(schema)) return knownFieldsOf(schema.unwrap());
  return null;
}

/** Known fields whose values may have any form. */
export function freeFields(names: readonly string[]): KnownFields {
  return new Map(names.map((name) => [name, null]));
}

/**
 * The union of two sets of fields. A name in both has the inner fields of both; null if the inner fields may be any in
 * one of them.
 */
export function joinFields(first: KnownFields, second: KnownFields): KnownFields {
  const joined = new Map(first);
  for (const [name, fields] of second) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? fields : earlier && fields && joinFields(earlier, fields));
  }
  return joined;
}

function fieldsOfObject({ shape, def }: z.ZodObject): KnownFields | null {
  if (def.catchall !== undefined) return null;
  return new Map(Object.entries(shape).map(([name, schema]) => [name, knownFieldsOf(schema)]));
}

/**
 * The fields of a union: a field of any member is known. Plain members (texts, numbers and so on) have no fields and
 * are left out. Null if a member accepts any field, and without a member that has fields.
 */
function fieldsOfUnion(options: readonly unknown[]): KnownFields | null {
  const found = options.filter((option) => !isPlain(option)).map(knownFieldsOf);
  return found.reduce((all, fields) => all && fields && joinFields(all, fields), found[0] ?? null);
}

/** True for a schema of a text, number, boolean, null or enumeration, which has no fields. */
function isPlain(schema: unknown): boolean {
  if (isWrapper(schema)) return isPlain(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isPlain(schema.in);
  const plain = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull, z.ZodLiteral, z.ZodEnum];
  return plain.some((kind) => schema instanceof kind);
}

/** True for a schema that adds an option, such as `optional()`, to an inner schema. */
function isWrapper(schema: unknown): schema is { unwrap(): unknown } {
  const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault, z.ZodReadonly, z.ZodCatch];
  return wrappers.some((kind) => schema instanceof kind);
}
