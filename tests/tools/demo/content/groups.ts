/** A user group of the demo. */
export interface DemoGroup {
  readonly name: string;
  readonly description: string;
  /** Keys of its direct members. */
  readonly members: readonly string[];
  /** Names of groups that it contains; they come before it in the list. */
  readonly subgroups: readonly string[];
}

type Row = readonly [name: string, description: string, members: string, subgroups: string];

const ROWS: readonly Row[] = [
  ["waterers", "Water the shared beds.", "owen aiko kofi lan min thida amina", ""],
  ["pruners", "Look after the orchard.", "jonah wolf cormac ravi hedda", ""],
  ["beekeepers", "Look after the hives.", "greta ivo selam", ""],
  ["compost crew", "Turn the compost.", "theo elsa pavel ngozi", ""],
  ["garden teams", "Everyone who looks after plants.", "delia", "waterers,pruners,beekeepers,compost crew"],
  ["seed keepers", "Sort, test and label seeds.", "anastasia eleni nino ruta", ""],
  ["tool keepers", "Lend and repair tools.", "samir joao tamil", ""],
  ["librarians", "Run all three libraries.", "lucia", "seed keepers,tool keepers"],
  ["cooks", "Cook for harvest dinners.", "maria zofia bao farid ani kai", ""],
  ["board members", "Elected for two years.", "maren tomas priya yuki", ""],
  ["coordinators", "Anyone who can answer questions.", "noa", "garden teams,librarians,board members"],
  ["key holders", "Have a key of the main gate.", "owen sunniva ines", "board members"],
];

/** Groups of the demo, inner ones first. */
export const GROUPS: readonly DemoGroup[] = ROWS.map(([name, description, members, subgroups]) => ({
  name,
  description,
  members: members.split(" "),
  subgroups: subgroups === "" ? [] : subgroups.split(","),
}));
