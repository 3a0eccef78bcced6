import { LONGEST_KEY_NAME } from '#access/keys/api-key.js';
import { createApiKeys, type ApiKeys } from '#access/keys/api-keys.js';
import { DEFAULT_WORKSPACE, isWorkspace, SCOPES, type Scope } from '#access/keys/principal.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { UsageError, type Command, type CommandContext, type CommandArguments } from './command.js';
import { assertExists, requireUpToDate, withDatabase } from './open-database.js';

// The commands `keys create`, `keys list` and `keys revoke`, which work on the database without the service.

/** The option `--workspace` of all three commands. */
const workspace = { type: 'string', docs: 'The workspace of the keys (default: default).' } as const;
const DAY_MS = 86_400_000;
/** The most keys that `keys list` shows. */
const MAX_LISTED = 200;

/** The commands `keys …`: for the first key of a production service, or for a key in an emergency. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    summary: 'Creates an API key and shows it once.',
    operands: [],
    options: {
      name: { type: 'string', docs: 'What it is for (default: Key of the command line).' },
      scopes: { type: 'string', docs: `Of ${SCOPES.join(', ')}, separated by commas (default: admin).` },
      days: { type: 'string', docs: 'Days until it expires (default: never).' },
      workspace,
    },
    async run(context, args) {
      const request = {
        workspace: workspaceOf(args),
        name: nameOf(args),
        scopes: scopesOf(args.options['scopes']),
        expiresAt: expiryOf(args.options['days'], context),
      };
      const { kind, name } = await requireUpToDate(context);
      return withKeys(context, async (keys) => {
        // With a forgotten setting this is not the database of the service.
        if (kind === 'missing') context.remark(`there was no database yet at ${name}: a new one is made`);
        const { row, key } = await keys.create(request);
        context.print(`${row.id}  ${key}`);
      });
    },
  },
  {
    name: 'keys list',
    summary: 'Lists the valid API keys, newest first.',
    operands: [],
    options: { workspace },
    async run(context, args) {
      const workspaceName = workspaceOf(args);
      await requireExistingDatabase(context);
      return withKeys(context, async (keys) => {
        const page = await keys.list({ workspace: workspaceName }, null, MAX_LISTED);
        for (const row of page.items) {
          const expiry = `expires ${toInstantOrNull(row.expires_at) ?? 'never'}`;
          const facts = [
            row.id,
            row.key_hint,
            row.scopes.join(','),
            toInstant(row.created_at),
            expiry,
            row.name,
          ];
          context.print(facts.join('  '));
        }
      });
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revokes an API key.',
    operands: ['<key id>'],
    options: { workspace },
    async run(context, args) {
      const key = { workspace: workspaceOf(args), id: args.operands[0]! };
      await requireExistingDatabase(context);
      return withKeys(context, async (keys) => {
        const row = await keys.revoke(key);
        context.print(`${row.id} is revoked.`);
      });
    },
  },
];

/** Requires an existing database, for `keys list` and `keys revoke`: only `keys create` may make a new one. */
async function requireExistingDatabase(context: CommandContext): Promise<void> {
  assertExists(await requireUpToDate(context));
}

/** Runs a command with the keys of the configured database. */
async function withKeys(context: CommandContext, use: (keys: ApiKeys) => Promise<void>): Promise<number> {
  const { clock, ids, log } = context;
  await withDatabase(context, (store) => use(createApiKeys({ store, clock, ids, log })));
  return 0;
}

function workspaceOf({ options }: CommandArguments): string {
  const name = String(options['workspace'] ?? DEFAULT_WORKSPACE);
  if (isWorkspace(name)) return name;
  throw new UsageError('--workspace: must be 1 to 64 letters, digits or any of . : - _');
}

function nameOf({ options }: CommandArguments): string {
  const name = String(options['name'] ?? 'Key of the command line').trim();
  // Names are shown in terminals, which interpret control characters.
  if (name.length <= LONGEST_KEY_NAME && /^\P{Cc}+$/u.test(name)) return name;
  throw new UsageError(
    `--name: must be 1 to ${LONGEST_KEY_NAME} characters, none of them a control character`,
  );
}

function scopesOf(text: string | boolean | undefined): Scope[] {
  const names = new Set(
    String(text ?? 'admin')
      .split(',')
      .map((name) => name.trim()),
  );
  return [...names].map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (!scope) throw new UsageError(`--scopes: must be of ${SCOPES.join(', ')}, separated by commas`);
    return scope;
  });
}

/** When a key expires (epoch milliseconds); null for never. */
function expiryOf(text: string | boolean | undefined, context: CommandContext): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(String(text))) throw new UsageError('--days: must be a whole number, 1 or more');
  return context.clock.wallMs() + Number(text) * DAY_MS;
}
