export function WebhooksPage() { return <p>Soon</p>; }
