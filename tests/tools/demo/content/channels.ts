/** Audience that can find and read a channel. */
export type ChannelPrivacy = "public" | "web_public" | "private" | "protected";

/** A channel of the demo. */
export interface DemoChannel {
  readonly name: string;
  readonly description: string;
  /** Name of the folder; empty for none. */
  readonly folder: string;
  readonly privacy: ChannelPrivacy;
  /** Share of members who subscribe; 1 for a default channel. */
  readonly reach: number;
  readonly hasGuests: boolean;
  /** Share of the messages, relative to other channels. */
  readonly traffic: number;
  readonly topics: readonly string[];
  /** Nouns that its messages are about. */
  readonly things: readonly string[];
}

/** Folders of channels with their descriptions. */
export const FOLDERS: readonly (readonly [name: string, description: string])[] = [
  ["Garden", "Beds, plants and the season's work."],
  ["Library", "Books, seeds and tools to borrow."],
  ["People", "Getting to know each other."],
  ["Projects", "Work with an end date."],
  ["Coordination", "Teams that keep the garden open."],
];

type Row = readonly [
  name: string,
  description: string,
  settings: readonly [folder: string, privacy: ChannelPrivacy, reach: number, guests: 0 | 1, traffic: number],
  topics: string,
  things: string,
];

const ROWS: readonly Row[] = [
  [
    "announcements",
    "News for everyone. Moderators post here; questions belong in general.",
    ["", "web_public", 1, 1, 2],
    "season opening, opening hours, water schedule, thank you",
    "the main gate, the season calendar, the water main, the notice board",
  ],
  [
    "general",
    "Questions that fit nowhere else.",
    ["", "public", 1, 1, 10],
    "lost and found, parking, saturday plans, volunteers, small questions",
    "the shed key, the picnic table, the blue bicycle, the sign-up sheet, the coffee fund",
  ],
  [
    "introductions",
    "Say hello: your name, your plot and your favorite plant.",
    ["People", "public", 1, 1, 2],
    "hello",
    "plot 14, plot 27, the herb spiral, the shared beds",
  ],
  [
    "vegetables",
    "What grows in the beds, and what eats it.",
    ["Garden", "public", 0.8, 0, 12],
    "tomatoes, squash, slugs, crop rotation, frost dates, compost tea",
    "the tomatoes, the zucchini, the bean trellis, the kale, bed 12, the seedlings, the garlic",
  ],
  [
    "flowers",
    "Cut flowers, borders and the meadow.",
    ["Garden", "public", 0.6, 0, 7],
    "dahlias, meadow strip, deadheading, bulbs",
    "the dahlias, the sunflowers, the sweet peas, the border, the bulbs, the cosmos",
  ],
  [
    "herbs",
    "The herb spiral and what to cook with it.",
    ["Garden", "public", 0.5, 0, 4],
    "drying, recipes, basil",
    "the basil, the thyme, the mint, the drying rack, the sage",
  ],
  [
    "orchard",
    "Apples, pears and the old quince.",
    ["Garden", "public", 0.5, 0, 6],
    "pruning, harvest, grafting workshop, cider press",
    "the quince, row B, the young pears, the ladder, the cider press, the apple store",
  ],
  [
    "greenhouse",
    "Heating, watering and bench space.",
    ["Garden", "public", 0.4, 0, 6],
    "watering rota, heater, bench space",
    "the heater, bench 3, the roof vent, the mist timer, the seed trays",
  ],
  [
    "compost",
    "Three bays, one thermometer, many opinions.",
    ["Garden", "public", 0.4, 0, 5],
    "bay 1, temperature, wood chips",
    "bay 2, the thermometer, the wood chips, the leaf mold, the sieve",
  ],
  [
    "bees",
    "The four hives behind the orchard. Ask before you visit.",
    ["Garden", "public", 0.3, 0, 4],
    "inspection, swarm, honey",
    "hive 2, the smoker, the honey extractor, the new queen, the frames",
  ],
  [
    "weather",
    "Reports of the weather station, and what they mean for us.",
    ["Garden", "web_public", 0.6, 1, 2],
    "rain, frost",
    "the rain gauge, the frost cloth, the forecast",
  ],
  [
    "seed library",
    "Borrow seeds in spring, return some in fall.",
    ["Library", "web_public", 0.6, 1, 7],
    "returns, catalog, germination test, heirloom beans",
    "the bean jars, the catalog, drawer 6, the labels, the lettuce seeds",
  ],
  [
    "tool library",
    "Tools to borrow. Numbers such as T-104 link to the catalog.",
    ["Library", "public", 0.7, 0, 8],
    "repairs, overdue, wish list, sharpening",
    "T-104, T-221, the hedge trimmer, the wheelbarrow, the pole saw, the sharpening stone",
  ],
  [
    "books",
    "The shelf in the pavilion and the reading circle.",
    ["Library", "public", 0.4, 1, 4],
    "reading circle, new arrivals, shelf 2",
    "the pruning handbook, the mushroom guide, chapter four, the shelf, the lending slips",
  ],
  [
    "kitchen",
    "Harvest dinners, preserving days and recipes.",
    ["People", "public", 0.6, 1, 6],
    "harvest dinner, preserving, recipes, dishes",
    "the big pot, the pumpkin soup, the jars, the outdoor oven, the menu",
  ],
  [
    "kids corner",
    "Sunday activities for children.",
    ["People", "public", 0.4, 1, 3],
    "mud kitchen, sunday program",
    "the mud kitchen, the worm hotel, the sand pit, the small shovels",
  ],
  [
    "languages",
    "Plant names in every language that we speak.",
    ["People", "public", 0.3, 1, 3],
    "tomato, word of the week, مرحبا, こんにちは",
    "tomate, помидор, トマト, طماطم, עגבנייה, 토마토, टमाटर",
  ],
  [
    "rainwater",
    "Two tanks, four gutters and a pump by September.",
    ["Projects", "public", 0.3, 0, 5],
    "pump, tank volume, permits, gutters",
    "the pump, tank A, the gutters, the overflow pipe, the permit",
  ],
  [
    "accessible paths",
    "Firm paths to every second bed.",
    ["Projects", "public", 0.3, 0, 4],
    "gravel, raised beds, ramp",
    "the gravel, the ramp, the raised beds, the edging",
  ],
  [
    "website",
    "The public site and its handbook. Issues such as #214 become links.",
    ["Projects", "public", 0.2, 0, 5],
    "handbook, short links, opening hours page, plot map",
    "#214, #231, the plot map, the handbook, the links on the posters",
  ],
  [
    "open day",
    "Planning of the open day.",
    ["Projects", "private", 0.25, 0, 6],
    "program, posters, stalls, budget",
    "the posters, the plant stall, the program, the tent, the raffle",
  ],
  [
    "board",
    "Minutes and decisions of the board.",
    ["Coordination", "protected", 0, 0, 4],
    "minutes, budget, lease",
    "the lease, the insurance, the budget, the minutes",
  ],
  [
    "moderation",
    "Reports about messages arrive here.",
    ["Coordination", "private", 0, 0, 1],
    "guidelines",
    "the guidelines, the welcome text",
  ],
  [
    "water team",
    "Who waters what, and when.",
    ["Coordination", "private", 0.15, 0, 5],
    "rota, hoses, leaks",
    "hose 3, the tap by row B, the rota, the timer, the leak",
  ],
  [
    "spring fair archive",
    "The fair of last spring. Kept for its plans.",
    ["Projects", "public", 0.2, 0, 0],
    "program",
    "the stage",
  ],
];

/** Channels of the demo. */
export const CHANNELS: readonly DemoChannel[] = ROWS.map(
  ([name, description, [folder, privacy, reach, guests, traffic], topics, things]) => ({
    name,
    description,
    folder,
    privacy,
    reach,
    hasGuests: guests === 1,
    traffic,
    topics: topics.split(", "),
    things: things.split(", "),
  }),
);

/** Channel that is archived in the course of the story. */
export const ARCHIVED_CHANNEL = "spring fair archive";
/** Channels whose subscribers are administrators and moderators only. */
export const STAFF_CHANNELS: readonly string[] = ["board", "moderation"];
