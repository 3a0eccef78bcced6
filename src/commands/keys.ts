import { LONGEST_KEY_NAME } from '../access/keys/api-key.js';
import { createApiKeys, type ApiKeys } from '../access/keys/api-keys.js';
import { DEFAULT_WORKSPACE, isWorkspace, SCOPES, type Scope } from '../access/keys/principal.js';
import { toInstant, toInstantOrNull } from '../kernel/time/clock.js';
import { UsageError, type Command, type Shell, type Words } from './command.js';
import { requireUpToDate, withDatabase } from './open-database.js';

const workspace = { type: 'string', docs: 'The workspace of the keys (default: default).' } as const;
const DAY_MS = 86_400_000;
const LIST_LIMIT = 200;

/** API keys from the command line: for the first key of a production service, and when no key is at hand. */
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
    async run(shell, words) {
      const request = {
        workspace: workspaceOf(words),
        name: nameOf(words),
        scopes: scopesOf(words.options['scopes']),
        expiresAt: expiryOf(words.options['days'], shell),
      };
      await requireUpToDate(shell);
      return withKeys(shell, async (keys) => {
        const { row, key } = await keys.create(request);
        shell.print(`${row.id}  ${key}`);
      });
    },
  },
  {
    name: 'keys list',
    summary: 'Lists the valid API keys, newest first.',
    operands: [],
    options: { workspace },
    async run(shell, words) {
      const workspaceName = workspaceOf(words);
      await requireKeys(shell);
      return withKeys(shell, async (keys) => {
        const page = await keys.list({ workspace: workspaceName }, null, LIST_LIMIT);
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
          shell.print(facts.join('  '));
        }
      });
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revokes an API key.',
    operands: ['<key id>'],
    options: { workspace },
    async run(shell, words) {
      const key = { workspace: workspaceOf(words), id: words.operands[0]! };
      await requireKeys(shell);
      return withKeys(shell, async (keys) => {
        const row = await keys.revoke(key);
        shell.print(`${row.id} is revoked.`);
      });
    },
  },
];

/** Only a new key is a reason to make a database. */
async function requireKeys(shell: Shell): Promise<void> {
  const { name, kind } = await requireUpToDate(shell);
  if (kind === 'missing') throw new Error(`there is no database yet at ${name}`);
}

async function withKeys(shell: Shell, use: (keys: ApiKeys) => Promise<void>): Promise<number> {
  const { clock, ids, log } = shell;
  await withDatabase(shell, (store) => use(createApiKeys({ store, clock, ids, log })));
  return 0;
}

function workspaceOf({ options }: Words): string {
  const name = String(options['workspace'] ?? DEFAULT_WORKSPACE);
  if (isWorkspace(name)) return name;
  throw new UsageError('--workspace: must be 1 to 64 letters, digits or any of . : - _');
}

function nameOf({ options }: Words): string {
  const name = String(options['name'] ?? 'Key of the command line').trim();
  // It is shown at terminals, which take control characters for commands.
  if (name.length <= LONGEST_KEY_NAME && /^\P{Cc}+$/u.test(name)) return name;
  throw new UsageError(
    `--name: must be 1 to ${LONGEST_KEY_NAME} characters, none of them a control character`,
  );
}

function scopesOf(given: string | boolean | undefined): Scope[] {
  const names = new Set(
    String(given ?? 'admin')
      .split(',')
      .map((name) => name.trim()),
  );
  return [...names].map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (!scope) throw new UsageError(`--scopes: must be of ${SCOPES.join(', ')}, separated by commas`);
    return scope;
  });
}

function expiryOf(given: string | boolean | undefined, shell: Shell): number | null {
  if (given === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(String(given)))
    throw new UsageError('--days: must be a whole number, 1 or more');
  return shell.clock.wallMs() + Number(given) * DAY_MS;
}
