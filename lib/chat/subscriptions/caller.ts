/** The line in which changes of an organization's subscriptions wait for each other within this process. */
export function subscriptionQueue(realmId: number): string {
  return `subscriptions ${realmId}`;
}
