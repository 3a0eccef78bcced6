export function buildDist(): Promise<void>;
