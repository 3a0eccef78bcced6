import type { TestProject } from 'vitest/node';
import { buildDist } from '../../tools/build.mjs';

/** Threads and processes run dist/: it is built of the sources under test, again before each run of the watch mode. */
export async function setup(project: TestProject): Promise<void> {
  await buildDist();
  project.onTestsRerun(buildDist);
}
