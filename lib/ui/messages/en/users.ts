/** Messages about users that several pages share. */
export const userMessages = {
  bots: "Bots",
  importButton: { one: "Create {count} user", other: "Create {count} users" },
  person: "Name",
  address: "Email address",
  role: "Role",
  bot: "bot",
  botKinds: { 1: "Generic", 2: "Incoming webhook", 3: "Outgoing webhook", 4: "Embedded" },
  keyUsed: "API key last used on {date} (UTC).",
  keyUnused: "The API key has not been used yet.",
};
