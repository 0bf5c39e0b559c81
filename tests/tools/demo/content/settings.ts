/** A linkifier: a pattern of RE2 and a URL template (RFC 6570). */
export const LINKIFIERS: readonly { readonly pattern: string; readonly url_template: string }[] = [
  { pattern: "#(?P<number>[0-9]+)", url_template: "https://issues.larkspur.example/{number}" },
  { pattern: "T-(?P<tool>[0-9]{3})", url_template: "https://tools.larkspur.example/catalog/{tool}" },
  { pattern: "HB-(?P<page>[a-z-]+)", url_template: "https://handbook.larkspur.example/{page}" },
  {
    pattern: "plot (?P<plot>[0-9]{1,3})",
    url_template: "https://www.larkspur.example/map?plot={plot}",
  },
];

/** Code playgrounds. */
export const PLAYGROUNDS = [
  { name: "Bench", pygments_language: "Python", url_template: "https://bench.larkspur.example/py{?code}" },
  {
    name: "Bench",
    pygments_language: "JavaScript",
    url_template: "https://bench.larkspur.example/js{?code}",
  },
  { name: "Rust corner", pygments_language: "Rust", url_template: "https://rust.larkspur.example/{?code}" },
] as const;

/** Names of the custom emoji. */
export const EMOJI: readonly string[] = ["sprout", "trowel", "beehive", "raincloud", "larkspur"];

const choices = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, at) => [`${at + 1}`, { text, order: `${at + 1}` }]));

/** Levels of experience, in the order of their keys from 1. */
const EXPERIENCE = ["First season", "A few seasons", "Many seasons"];

/** Profile fields, by the name that the content uses. */
export const PROFILE_FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plot: { name: "Plot", field_type: 1, hint: "Number of your plot", display_in_profile_summary: true },
  plant: { name: "Favorite plant", field_type: 1, display_in_profile_summary: true },
  about: { name: "About me", field_type: 2, hint: "A few words for the others" },
  experience: { name: "Experience", field_type: 3, field_data: choices(EXPERIENCE) },
  since: { name: "Member since", field_type: 4 },
  page: { name: "Web page", field_type: 5 },
  neighbors: { name: "Plot neighbors", field_type: 6 },
  pronouns: { name: "Pronouns", field_type: 8 },
};

/** Values that people draw their profile from. */
export const PROFILE_VALUES = {
  plants: [
    "larkspur",
    "Tomate",
    "quince",
    "пион",
    "山茶花",
    "lavender",
    "زعفران",
    "runner beans",
    "kale",
    "fig",
  ],
  about: [
    "I have had my plot since the first spring and still lose to the slugs.",
    "Mostly here on Saturdays. Ask me about compost.",
    "New to gardening, glad to carry heavy things.",
    "I keep the bean jars and a long list of names for them.",
  ],
  pronouns: ["she/her", "he/him", "they/them"],
} as const;

/** Texts of statuses with their emoji. */
export const STATUSES: readonly (readonly [text: string, emoji: string])[] = [
  ["In the greenhouse until noon", "seedling"],
  ["Traveling until Sunday", "airplane"],
  ["Turning the compost", "sprout"],
  ["On watering duty", "raincloud"],
  ["Reading, please send a direct message", "book"],
];
