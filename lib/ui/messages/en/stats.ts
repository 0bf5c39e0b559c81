/** Messages about short links and their visits. */
export const statsMessages = {
  refused: "Only administrators of the main organization can open the short links of this server.",
  visitCount: { one: "{count} visit", other: "{count} visits" },
  noVisits: "No visits in this period.",
  linkTitle: "Short link",
};
