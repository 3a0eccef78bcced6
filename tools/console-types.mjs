// Writes console/src/api/openapi.ts, the types of the interface as the console's sources use them, from openapi.json:
// a field that the service no longer has fails the type check of the page that reads it.
import { fileURLToPath } from 'node:url';

/** Where the types are kept. */
export const TYPES_FILE = fileURLToPath(new URL('../console/src/api/openapi.ts', import.meta.url));

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const HEADER = `// Made of openapi.json by \`npm run openapi\`. Not to be edited.
`;

/**
 * @param {object} document an OpenAPI 3.1 document
 * @returns {string} TypeScript: one interface of schemas, one of operations
 */
export function describeTypes({ components, paths }) {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${propertyName(name)}: ${typeOf(schema, 2)};`,
  );
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map(
      (method) => `  '${method.toUpperCase()} ${path}': ${operationOf(item[method])};`,
    ),
  );
  return [
    HEADER,
    `export interface Schemas {\n${schemas.join('\n')}\n}\n`,
    `export interface Operations {\n${operations.join('\n')}\n}\n`,
  ].join('\n');
}

function operationOf({ parameters = [], requestBody, responses }) {
  const of = (place) => ({
    type: 'object',
    properties: Object.fromEntries(
      parameters.filter((it) => it.in === place).map(({ name, schema }) => [name, schema]),
    ),
    required: parameters.filter((it) => it.in === place && it.required).map(({ name }) => name),
  });
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const body = requestBody && schemaOf(requestBody.content);
  const fields = [
    `    path: ${typeOf(of('path'), 4)};`,
    `    query: ${typeOf(of('query'), 4)};`,
    `    body: ${body ? typeOf(body, 4) : 'undefined'};`,
    `    response: ${success?.content ? typeOf(schemaOf(success.content), 4) : 'undefined'};`,
  ];
  return `{\n${fields.join('\n')}\n  }`;
}

/** The schema of a body in JSON; another kind of body is `unknown`. */
function schemaOf(content) {
  return content['application/json']?.schema ?? {};
}

function typeOf(schema, depth) {
  if (schema === true || Object.keys(schema).length === 0) return 'unknown';
  if (schema.$ref) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map((it) => typeOf(it, depth)));
  if (schema.allOf) return schema.allOf.map((it) => `(${typeOf(it, depth)})`).join(' & ');
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, depth)));
  }
  return plainTypeOf(schema, depth);
}

function plainTypeOf(schema, depth) {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {}, depth)})[]`;
    default:
      return objectTypeOf(schema, depth);
  }
}

function objectTypeOf({ properties = {}, required = [], additionalProperties }, depth) {
  const indent = ' '.repeat(depth);
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${indent}  ${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 2)};`,
  );
  if (lines.length > 0) return `{\n${lines.join('\n')}\n${indent}}`;
  if (additionalProperties === undefined || additionalProperties === false) return 'Record<string, never>';
  return `Record<string, ${typeOf(additionalProperties, depth)}>`;
}

const union = (types) => [...new Set(types)].join(' | ');

const propertyName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
