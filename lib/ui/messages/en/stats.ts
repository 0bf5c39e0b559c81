/** Messages about short links and their visits. */
export const statsMessages = {
  visitCount: { one: "{count} visit", other: "{count} visits" },
  noVisits: "No visits in this period.",
};
