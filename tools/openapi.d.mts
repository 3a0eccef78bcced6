export const OPENAPI_FILE: string;
export function describeApi(): Promise<string>;
