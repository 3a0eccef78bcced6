// Long lists are drawn from the top, so that what is seen first does not wait for what lies below it.
import { useEffect, useState } from 'preact/hooks';

/** Items that are drawn at once: more than fit on a screen. */
const FIRST = 60;
const STEP = 240;

/** How many items of a list are drawn now: the first ones at once, the others when the browser has time. */
export function useGrowing(length: number): number {
  const [count, setCount] = useState(FIRST);
  const isWhole = count >= length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setCount((drawn) => drawn + STEP));
    return () => clearTimeout(timer);
  }, [isWhole, count]);
  return Math.min(count, length);
}
