import { builtModule } from '#kernel/system/thread.js';

/** What the threads of the store load: the file that the build makes of every source that declares units of work. */
export const unitModules: readonly URL[] = [builtModule('unit-bundle.js')];
