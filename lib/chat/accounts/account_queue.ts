/** The line in which changes of an organization's accounts wait for each other within this process. */
export function accountQueue(realmId: number): string {
  return `accounts ${realmId}`;
}
