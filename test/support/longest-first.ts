import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in seconds on two cores. Only their order matters: the others are shorter. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/e2e/spoken-call.test.ts': 35,
  'test/e2e/warm-transfer.test.ts': 34,
  'test/e2e/twilio-calls.test.ts': 27,
  'test/integration/providers/voices.test.ts': 25,
  'test/integration/store/sqlite-store.test.ts': 21,
  'test/integration/calls/dial-failpoints.test.ts': 20,
};

/** Starts the files that take longest first: one that starts last keeps a worker busy while the others have no work. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const secondsOf = ({ moduleId }: TestSpecification) => SECONDS[relative(root, moduleId)] ?? 0;
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a));
  }
}
