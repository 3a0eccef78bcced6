import { builtModule } from '#kernel/system/thread.js';

/** Modules that the store threads load: one bundle that the build makes of all sources that declare transactions. */
export const transactionModules: readonly URL[] = [builtModule('transaction-bundle.js')];
