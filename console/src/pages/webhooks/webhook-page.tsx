export function WebhookPage() { return <p>Soon</p>; }
