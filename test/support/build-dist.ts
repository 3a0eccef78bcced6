import type { TestProject } from 'vitest/node';
import { buildDist } from '../../tools/build.mjs';

/** Threads and processes run dist/, so it is built from the sources under test, also before each run in watch mode. */
export async function setup(project: TestProject): Promise<void> {
  await buildDist();
  project.onTestsRerun(buildDist);
}
