export function buildDist(): Promise<void>;
export declare const sourcesAsBuilt: import('esbuild').Plugin;
