import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import { agentResource } from '#agents/definitions/agent.js';
import type { Agents } from '#agents/definitions/agents.js';
import type { Links } from '#calls/call-links.js';
import { callResource } from '#calls/resources/call-resource.js';
import type { CallViews } from '#calls/call-views.js';
import type { Calls } from '#calls/calls.js';
import { recordingResource, toRecordingResource } from '#calls/resources/recording-resource.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { callEventResource, callTurnResource, toEventResource } from '#calls/resources/talk-resource.js';
import { Problem, type ProblemCode } from '#kernel/errors/errors.js';
import { anyOf } from '#http/answers/lists.js';

/** The names that `?expand=` accepts: each adds an object to the call, and none changes the other fields. */
export const callExpansion = anyOf(z.enum(['agent', 'events', 'recording', 'turns'])).meta({
  description: 'Further objects to include in the call.',
  examples: [['turns']],
});
type Expansion = z.infer<typeof callExpansion>[number];

/** Schema of a call with the objects that `expand` asks for; the answer of `GET /api/calls/{call_id}`. */
export const expandedCall = callResource
  .extend({
    agent: agentResource.nullable().optional(),
    events: z
      .array(callEventResource)
      .optional()
      .meta({ description: 'What happened in the call, oldest first.' }),
    recording: recordingResource.nullable().optional(),
    turns: z.array(callTurnResource).optional(),
  })
  .meta({ id: 'ExpandedCall', description: 'A call, with the objects that `expand` asked for.' });

/** The dependencies of {@link expandCall}. */
export interface ExpansionParts {
  agents: Agents;
  calls: Calls;
  views: CallViews;
  recordings: Recordings;
  links: Links;
}

/** A call with the objects that `expand` asks for. @throws Problem `call_not_found` */
export async function expandCall(
  principal: Principal,
  id: string,
  expand: readonly Expansion[],
  { agents, calls, views, recordings, links }: ExpansionParts,
): Promise<z.infer<typeof expandedCall>> {
  const { resource, turns } = await views.get(principal, id);
  const expanded: z.infer<typeof expandedCall> = { ...resource };
  if (expand.includes('turns')) expanded.turns = turns;
  if (expand.includes('events')) {
    const events = await calls.events(principal, id);
    expanded.events = events.map((event) => toEventResource(id, event));
  }
  if (expand.includes('agent')) {
    const agent = agents.get(principal.workspace, resource.agent_id);
    expanded.agent = await orNull(agent, 'agent_not_found');
  }
  if (expand.includes('recording')) {
    const recording = await orNull(recordings.get(principal, id), 'recording_not_found');
    expanded.recording = recording && toRecordingResource(recording, links.recording(id));
  }
  return expanded;
}

/** The object, or null if it is not found. The agent of a call may be deleted, its recording may not exist yet. */
async function orNull<Found>(lookup: Promise<Found>, code: ProblemCode): Promise<Found | null> {
  return lookup.catch((error: unknown) => {
    if (error instanceof Problem && error.code === code) return null;
    throw error;
  });
}
