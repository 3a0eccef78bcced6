// In development, an open page loads itself again after each build.

const LOOK_MS = 1_000;

/** Looks for another build, which the tag of the page tells; while the service starts again there is none to see. */
export function reloadAfterBuild(): void {
  let built: string | null = null;
  setInterval(() => void look().catch(() => {}), LOOK_MS);

  async function look(): Promise<void> {
    const { ok, headers } = await fetch('/console/', { method: 'HEAD', cache: 'no-store' });
    if (!ok) return;
    const tag = headers.get('etag');
    if (built !== null && tag !== built) location.reload();
    built = tag;
  }
}
