/** An account that a text may mean. */
export interface PersonChoice {
  readonly id: number;
  readonly name: string;
  readonly note: string;
}

/** Returns the name of the checkboxes with the accounts that the texts in a field for people may mean. */
export function choiceFieldOf(name: string): string {
  return `${name}_choice`;
}
