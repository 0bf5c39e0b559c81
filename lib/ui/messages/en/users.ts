/** Messages about users that several pages share. */
export const userMessages = {
  bots: "Bots",
  botKinds: { 1: "Generic", 2: "Incoming webhook", 3: "Outgoing webhook", 4: "Embedded" },
};
