// A playbook as a picture: steps are boxes, ways from one to the next are lines. Laid out by dagre, drawn as SVG.
import { Graph, layout } from '@dagrejs/dagre';
import { useMemo } from 'preact/hooks';
import { words } from '../../ui/format.js';
import { textOf, waysOf, type Playbook } from './playbook-steps.js';

const BOX = { width: 190, height: 64 };
const LINE_LENGTH = 27;
const MARGIN = 12;

interface Box {
  name: string;
  kind: string;
  text: string;
  x: number;
  y: number;
}

interface Line {
  key: string;
  path: string;
  when: string;
  x: number;
  y: number;
}

export function PlaybookPicture({ playbook, now = '' }: { playbook: Playbook; now?: string }) {
  const picture = useMemo(() => arrange(playbook), [playbook]);
  return (
    <div class="picture" tabIndex={0} role="region" aria-label="Picture of the playbook">
      <svg
        width={picture.width}
        height={picture.height}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        role="img"
        aria-label={`${picture.boxes.length} steps, beginning with ${playbook.start}`}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        {picture.lines.map(({ key, path, when, x, y }) => (
          <g key={key} class="way">
            <path d={path} marker-end="url(#arrow)" />
            {when !== '' && (
              <text x={x} y={y - 3}>
                {shorten(when, 18)}
              </text>
            )}
          </g>
        ))}
        {picture.boxes.map(({ name, kind, text, x, y }) => (
          <g key={name} class={`box ${kind} ${name === now ? 'now' : ''}`} transform={`translate(${x} ${y})`}>
            <title>{text}</title>
            <rect width={BOX.width} height={BOX.height} rx="9" />
            <text x="12" y="20" class="name">
              {shorten(name, 20)}
            </text>
            <text x={BOX.width - 12} y="20" class="kind">
              {words(kind)}
            </text>
            {linesOf(text).map((line, index) => (
              <text key={line} x="12" y={38 + index * 15}>
                {line}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function arrange({ steps }: Playbook): { boxes: Box[]; lines: Line[]; width: number; height: number } {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 46, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of Object.keys(steps)) graph.setNode(name, { ...BOX });
  for (const [name, step] of Object.entries(steps)) {
    for (const { to, when } of waysOf(step)) {
      // A playbook that is being written may lead to a step that is not there yet.
      if (steps[to] === undefined) continue;
      graph.setEdge(
        name,
        to,
        { when, width: Math.min(18, when.length) * 7, height: 14, labelpos: 'c' },
        when || 'next',
      );
    }
  }
  layout(graph);
  const boxes = Object.entries(steps).map(([name, step]): Box => {
    const { x = 0, y = 0 } = graph.node(name) as { x?: number; y?: number };
    return { name, kind: step.kind, text: textOf(step), x: x - BOX.width / 2, y: y - BOX.height / 2 };
  });
  const lines = graph.edges().map((edge): Line => {
    const label = graph.edge(edge) as {
      points: { x: number; y: number }[];
      when: string;
      x?: number;
      y?: number;
    };
    return {
      key: `${edge.v}→${edge.w}:${edge.name ?? ''}`,
      path: smooth(label.points),
      when: label.when,
      x: label.x ?? 0,
      y: label.y ?? 0,
    };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { boxes, lines, width, height };
}

/** A curve near the points that the layout found. */
function smooth(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    const isLast = index === rest.length - 2;
    const end = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  if (curves.length > 0) return `M${first.x} ${first.y}${curves.join('')}`;
  return `M${first.x} ${first.y}L${rest[0]?.x ?? first.x} ${rest[0]?.y ?? first.y}`;
}

/** Two lines of whole words. */
function linesOf(text: string): string[] {
  if (text.length <= LINE_LENGTH) return [text];
  const end = text.lastIndexOf(' ', LINE_LENGTH);
  const cut = end > 0 ? end : LINE_LENGTH;
  return [text.slice(0, cut), shorten(text.slice(cut).trim(), LINE_LENGTH)];
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
