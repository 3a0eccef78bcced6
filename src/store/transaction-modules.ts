import { builtModule } from '#kernel/system/thread.js';

/**
 * Modules that the store threads load: one bundle, built from all sources that declare transactions. The app and the
 * command line start the threads with it.
 */
export const transactionModules: readonly URL[] = [builtModule('transaction-bundle.js')];
