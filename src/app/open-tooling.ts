import type { HttpToolParts } from '#dialogue/tools/http-tool.js';
import { createToolRequestSender } from '#dialogue/tools/fetch-tool-request.js';
import type { SsrfGuard } from '#outbound-http/ssrf-guard.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import type { Config } from '#config/config.js';
import { createSecretBox, secretsKey } from '#secrets/secret-box.js';
import { Secrets } from '#secrets/secrets.js';
import { signatureHeaders } from '#webhooks/deliveries/signature.js';
import type { Replacements, Foundation } from './replacements.js';

/** Returns the dependencies of a workspace's HTTP tools: each workspace has its own secrets. */
type ToolPartsOf = (workspace: string) => HttpToolParts;

/**
 * The name of the secret that signs the requests to a customer's servers, if the workspace has set it: requests of
 * tools, and despite the name also those to the customer's own models.
 */
const SIGNING_SECRET = 'tool_signing';

/** The dependencies of agents' HTTP tools. `close` closes their connections to customers' servers. */
export interface Tooling {
  secrets: Secrets;
  partsOf: ToolPartsOf;
  close(): Promise<void>;
}

/**
 * Opens the sending, the signing and the secrets of agents' HTTP tools (requests to customers' servers during a talk);
 * used by `openTalking`.
 * @param parts.guard keeps their requests out of the operator's network (SSRF)
 */
export function openTooling(
  config: Config,
  { store, clock, ids, guard }: Foundation & { guard: SsrfGuard },
  replace: Partial<Replacements>,
): Tooling {
  const secrets = new Secrets({ store, clock, box: createSecretBox(secretsKey(config, ids), ids) });
  const pool = openHttpPool({ clock, guard, httpsOnly: true });
  const send = replace.sendToolRequest ?? createToolRequestSender(createFetch({ pool }), clock);
  const partsOf: ToolPartsOf = (workspace) => ({
    send,
    secrets: (names) => secrets.reveal(workspace, names),
    async sign({ id, body }) {
      const { [SIGNING_SECRET]: current } = await secrets.reveal(workspace, [SIGNING_SECRET]);
      if (current === undefined) return {};
      const timestampSeconds = Math.floor(clock.wallMs() / 1_000);
      return signatureHeaders({ current, previous: null }, { id, timestampSeconds, body });
    },
  });
  return { secrets, partsOf, close: () => pool.close() };
}
