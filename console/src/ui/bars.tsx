import { moment } from './format.js';

export interface Bar {
  at: string;
  value: number;
  /** A part of `value` that is drawn in the colour of trouble. */
  second?: number;
}

const HEIGHT = 100;
const WIDTH = 1000;

/** A column for each moment. The numbers are read out by the title of each column. */
export function Bars({ label, bars, secondName = '' }: { label: string; bars: Bar[]; secondName?: string }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  const heightOf = (value: number): number => (value / highest) * (HEIGHT - 4);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure>
      <svg
        class="bars-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map(({ at, value, second = 0 }, index) => (
          <g key={at}>
            <title>{`${moment(at)}: ${value}${second > 0 ? `, ${second} of them ${secondName}` : ''}`}</title>
            <rect
              x={index * step + step * 0.12}
              width={step * 0.76}
              y={HEIGHT - heightOf(value)}
              height={heightOf(value)}
            />
            <rect
              class="second"
              x={index * step + step * 0.12}
              width={step * 0.76}
              y={HEIGHT - heightOf(second)}
              height={heightOf(second)}
            />
          </g>
        ))}
      </svg>
      <figcaption class="row between small quiet">
        <span>{first ? moment(first.at) : ''}</span>
        <span>highest {highest}</span>
        <span>{last ? moment(last.at) : ''}</span>
      </figcaption>
    </figure>
  );
}
