// A playbook as a list of its steps; the one where the talk is now is lit.
import type { Schemas } from '../../api/openapi.js';
import { words } from '../../ui/format.js';

export type Playbook = Schemas['Playbook'];
type Step = Schemas['PlaybookStep'];

export function PlaybookSteps({ playbook, now = '' }: { playbook: Playbook; now?: string }) {
  return (
    <ol class="steps" tabIndex={0} aria-label="Steps of the playbook">
      {Object.entries(playbook.steps).map(([name, step]) => (
        <li key={name} class={name === now ? 'now' : ''} aria-current={name === now ? 'step' : undefined}>
          <span class="row">
            <strong>{name}</strong> <span class={`kind ${step.kind}`}>{words(step.kind)}</span>
            {name === playbook.start && <span class="small quiet">start</span>}
          </span>
          <span class="break quiet">{textOf(step)}</span>
        </li>
      ))}
    </ol>
  );
}

export function textOf(step: Step): string {
  return 'text' in step && step.text ? step.text : '';
}

export interface Way {
  to: string;
  /** When it is taken; empty for the usual way on. */
  when: string;
}

/** Where a step may lead. */
export function waysOf(step: Step): Way[] {
  const ways: Way[] = [];
  const add = (to: unknown, when: string): void => {
    if (typeof to === 'string' && to !== '' && !ways.some((way) => way.to === to && way.when === when)) {
      ways.push({ to, when });
    }
  };
  if ('answers' in step) for (const [answer, to] of Object.entries(step.answers ?? {})) add(to, answer);
  if ('cases' in step) for (const one of step.cases) add((one as { next?: string }).next, caseOf(one));
  if ('next' in step) add(step.next, ways.length > 0 ? 'else' : '');
  if ('otherwise' in step) add(step.otherwise, 'otherwise');
  return ways;
}

function caseOf(one: object): string {
  const { next: _next, ...rest } = one as Record<string, unknown>;
  return Object.values(rest)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ');
}
