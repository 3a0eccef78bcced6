import { markOptionalBodies } from './openapi-bodies.js';
import type { OpenApiDocument } from './openapi-document.js';
import { describeFields } from './openapi-fields.js';
import { describeHeaders } from './openapi-headers.js';
import { describeProblems } from './openapi-problems.js';
import { describeWarnings } from './openapi-warnings.js';

type Json = Record<string, unknown>;

/**
 * Turns the OpenAPI document that `@fastify/swagger` generates into the published one: removes generator artefacts, and
 * adds descriptions, headers and examples. Used by the `openApi` plugin.
 */
export function finishDocument(generated: OpenApiDocument): OpenApiDocument {
  const schemas = generated.components.schemas ?? {};
  // `additionalProperties: false` is kept in request schemas, whose authors wrote it, and in schemas that are the same
  // for requests and responses. The generator adds it to all response schemas: there it is removed.
  const isClosed = (id: string) => id.endsWith('Input') || sameShape(schemas[`${id}Input`], schemas[id]);
  const tidied = Object.entries(schemas).map(([id, schema]) => [id, tidy(schema, isClosed(id))]);
  const document = {
    ...(tidy({ ...generated, components: {} }) as OpenApiDocument),
    components: {
      ...(tidy({ ...generated.components, schemas: {} }) as Json),
      schemas: Object.fromEntries(tidied),
    },
  };
  joinTwins(document);
  // Before the names are shortened: an unused `X` must not keep `XInput` from becoming `X`.
  dropUnused(document);
  shortenInputOnlyNames(document);
  renamePatchOperations(document);
  // Again, for the order of the shortened names.
  dropUnused(document);
  markOptionalBodies(document);
  describeWarnings(document);
  describeFields(document);
  describeHeaders(document);
  describeProblems(document);
  return document;
}

/**
 * Removes what the API does not promise: closed response schemas (new fields are no breaking change), JavaScript's
 * integer bounds, and empty response bodies.
 */
function tidy(node: unknown, isClosed = false): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, isClosed));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => {
    if (key === 'additionalProperties') return isClosed || value !== false;
    if (key === 'maximum') return value !== Number.MAX_SAFE_INTEGER;
    if (key === 'minimum') return value !== Number.MIN_SAFE_INTEGER;
    return key !== 'content' || !isEmptyBody(value);
  });
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value, isClosed)]));
}

/** True for the content of a response whose schema is `null`: such a response has no body. */
function isEmptyBody(content: unknown): boolean {
  const schema = (content as { 'application/json'?: { schema?: { type?: unknown } } })['application/json']
    ?.schema;
  return schema?.type === 'null';
}

/** The generator writes a schema with an id twice, as `X` and `XInput`. If both are equal, only `X` is kept. */
function joinTwins(document: OpenApiDocument): void {
  const schemas = document.components.schemas ?? {};
  const isTwin = (id: string) =>
    id.endsWith('Input') && sameShape(schemas[id], schemas[id.slice(0, -'Input'.length)]);
  const twins = Object.keys(schemas).filter(isTwin);
  for (const id of twins) delete schemas[id];
  renameReferences(document, (name) => (twins.includes(name) ? name.slice(0, -'Input'.length) : name));
}

/** Renames schemas that are only used in requests from `XInput` to `X`. */
function shortenInputOnlyNames(document: OpenApiDocument): void {
  const schemas = document.components.schemas ?? {};
  const used = namesUsed(document);
  const inputOnly = [...used].filter((id) => id.endsWith('Input') && !used.has(id.slice(0, -'Input'.length)));
  for (const id of inputOnly) {
    schemas[id.slice(0, -'Input'.length)] = schemas[id];
    delete schemas[id];
  }
  renameReferences(document, (name) => (inputOnly.includes(name) ? name.slice(0, -'Input'.length) : name));
}

/** True if two schemas are equal, apart from the suffix `Input` in their references. */
function sameShape(input: unknown, output: unknown): boolean {
  const text = (schema: unknown) =>
    JSON.stringify(schema)?.replaceAll(/(#\/components\/schemas\/\w+?)Input"/g, '$1"');
  return text(input) === text(output);
}

/** Gives PATCH an operation id of its own where one route serves PUT and PATCH: `updateAgent`, `patchAgent`. */
function renamePatchOperations(document: OpenApiDocument): void {
  for (const { put, patch } of Object.values(document.paths)) {
    if (put?.operationId === undefined || patch?.operationId !== put.operationId) continue;
    patch.operationId = `patch${put.operationId.replace(/^(update|put|replace)/, '').replace(/^./, (first) => first.toUpperCase())}`;
  }
}

/** Keeps only the schemas that operations use, directly or through other schemas, sorted by name. */
function dropUnused(document: OpenApiDocument): void {
  const schemas = document.components.schemas ?? {};
  const reached = new Set<string>();
  const visit = (node: unknown) => {
    for (const name of namesUsed(node)) {
      if (reached.has(name)) continue;
      reached.add(name);
      visit(schemas[name]);
    }
  };
  visit(document.paths);
  visit(document.webhooks);
  document.components.schemas = Object.fromEntries([...reached].sort().map((name) => [name, schemas[name]]));
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** The names of the schemas that the references below a node point to; the node is not changed. */
function namesUsed(node: unknown, names = new Set<string>()): Set<string> {
  renameReferences(node, (name) => {
    names.add(name);
    return name;
  });
  return names;
}

/** Renames the targets of all references below a node, in place. */
function renameReferences(node: unknown, rename: (name: string) => string): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as Json;
  const name = typeof object['$ref'] === 'string' ? REFERENCE.exec(object['$ref'])?.[1] : undefined;
  if (name !== undefined) object['$ref'] = `#/components/schemas/${rename(name)}`;
  for (const child of Object.values(object)) renameReferences(child, rename);
}
