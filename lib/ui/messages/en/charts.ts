/** Messages of charts over time and of their periods. */
export const chartMessages = {
  period: "Period",
  periods: {
    "2": "48 hours",
    "7": "7 days",
    "30": "30 days",
    "90": "90 days",
    "365": "1 year",
    all: "All",
    custom: "Custom",
  },
  grouping: "Group by",
  groupings: { hour: "Hour", day: "Day", week: "Week", month: "Month" },
  choose: "Choose dates",
  from: "From",
  to: "To",
  show: "Show",
  refused: {
    one: "Enter the first and last day of a period of up to {count} day. The last 30 days are shown.",
    other: "Enter the first and last day of a period of up to {count} days. The last 30 days are shown.",
  },
  utc: "Days begin at 00:00 UTC.",
  thisPeriod: "This period",
  previousPeriod: "Previous period",
  readout: "Read the chart with the arrow keys",
  point: "{date}: {amount}.",
  total: "{amount} in this period.",
  before: "Previous period: {amount}.",
  most: "Highest: {amount}, {date}.",
  least: "Lowest: {amount}, {date}.",
  /** Comparison of a period with the one before; `count` is its length in days. */
  compared: {
    more: {
      one: "{amount}, {share}% more than on the day before.",
      other: "{amount}, {share}% more than in the {count} days before.",
    },
    /** For growth whose percentage is hard to read. */
    muchMore: {
      one: "{amount}, more than 10 times the figure of the day before.",
      other: "{amount}, more than 10 times the figure of the {count} days before.",
    },
    fewer: {
      one: "{amount}, {share}% fewer than on the day before.",
      other: "{amount}, {share}% fewer than in the {count} days before.",
    },
    less: {
      one: "{amount}, {share}% less than on the day before.",
      other: "{amount}, {share}% less than in the {count} days before.",
    },
    same: {
      one: "{amount}, about the same as on the day before.",
      other: "{amount}, about the same as in the {count} days before.",
    },
    none: {
      one: "{amount}; none on the day before.",
      other: "{amount}; none in the {count} days before.",
    },
  },
  asTable: "View as table",
  csv: "Download CSV",
  units: { hour: "Hour", day: "Day", week: "Week starting", month: "Month starting" },
};
