/** Messages of permissions; their names are in their registry. */
export const permissionMessages = {
  peopleHint: "One on each line: a name, an email address or a user ID.",
  tooManyPeople: "Enter no more than {count} people.",
  severalPeople: "Several users are named “{name}”. Choose below, or enter the email address or user ID.",
  searchPeople: {
    remove: "Remove {name}",
    noMatch: "No matches",
    matches: { one: "{count} match", other: "{count} matches" },
    hint: "Enter part of a name or email address.",
    groupsHint: "Enter part of the name of a person or group.",
  },
  explain: { whoCan: "Who can…?", read: "Read messages" },
  impact: { csv: { user: "User", id: "User ID" } },
};
