import { z } from 'zod';

/** The fields that a schema reads, and what it reads in each of them; null for a value of any form. */
export type KnownFields = ReadonlyMap<string, KnownFields | null>;

/**
 * The fields of the objects that a schema reads, also of objects within them and of those in lists. Null for a schema
 * that takes any field (free-form data), refuses unknown ones itself, or rewrites its input before it looks at it.
 */
export function knownFieldsOf(schema: unknown): KnownFields | null {
  if (schema instanceof z.ZodObject) return fieldsOfObject(schema);
  if (schema instanceof z.ZodArray) return knownFieldsOf(schema.element);
  if (schema instanceof z.ZodUnion) return fieldsOfUnion(schema.options);
  if (schema instanceof z.ZodPipe) return knownFieldsOf(schema.in);
  if (isWrapper(schema)) return knownFieldsOf(schema.unwrap());
  return null;
}

/** Fields of which each may hold anything. */
export function freeFields(names: readonly string[]): KnownFields {
  return new Map(names.map((name) => [name, null]));
}

/** The fields of both. */
export function joinFields(one: KnownFields, other: KnownFields): KnownFields {
  const joined = new Map(one);
  for (const [name, fields] of other) {
    const own = joined.get(name);
    joined.set(name, own === undefined ? fields : own && fields && joinFields(own, fields));
  }
  return joined;
}

function fieldsOfObject({ shape, def }: z.ZodObject): KnownFields | null {
  if (def.catchall !== undefined) return null;
  return new Map(Object.entries(shape).map(([name, schema]) => [name, knownFieldsOf(schema)]));
}

/** One of several objects: a field of any of them is known. Texts and numbers beside them have no fields. */
function fieldsOfUnion(options: readonly unknown[]): KnownFields | null {
  const found = options.filter((option) => !isPlain(option)).map(knownFieldsOf);
  return found.reduce((all, fields) => all && fields && joinFields(all, fields), found[0] ?? null);
}

function isPlain(schema: unknown): boolean {
  if (isWrapper(schema)) return isPlain(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isPlain(schema.in);
  const plain = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull, z.ZodLiteral, z.ZodEnum];
  return plain.some((kind) => schema instanceof kind);
}

function isWrapper(schema: unknown): schema is { unwrap(): unknown } {
  const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault, z.ZodReadonly, z.ZodCatch];
  return wrappers.some((kind) => schema instanceof kind);
}
