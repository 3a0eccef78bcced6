export function SchedulesPage() { return <p>Soon</p>; }
