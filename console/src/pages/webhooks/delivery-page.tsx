export function DeliveryPage() { return <p>Soon</p>; }
