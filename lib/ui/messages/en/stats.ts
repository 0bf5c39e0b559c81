/** Messages of the pages about short links and their visits. */
export const statsMessages = {
  refused: "Only administrators of the main organization can open the statistics of this server.",
  visits: "Visits",
  visitCount: { one: "{count} visit", other: "{count} visits" },
  noVisits: "No visits in this period.",
  linkTitle: "Short link",
};
