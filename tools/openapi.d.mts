export const OPENAPI_FILE: string;
